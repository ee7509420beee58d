import type { Lookup } from '../../src/domain/lookup.ts'

/** An analysis that was bought and waits for its answer, unless something else is given. */
export const lookupOf = (change: Partial<Lookup>): Lookup => ({
  id: 1n,
  organizationId: 7001,
  kind: 'analysis',
  question: '12345678909',
  documentType: 'CPF',
  label: null,
  state: 'waiting',
  attempts: 0,
  polls: 0,
  deadlineAt: new Date(Date.now() + 3_600_000),
  sendingAt: null,
  unlistedAt: null,
  refusedAs: null,
  reason: null,
  listSnapshotId: null,
  remote: { id: 'r1', key: 'k1' },
  charged: 'yes',
  ...change,
})
