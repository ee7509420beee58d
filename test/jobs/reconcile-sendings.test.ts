import { expect, test } from 'vitest'
import { loadSettings } from '../../config/settings.ts'
import { reconcileSendings } from '../../jobs/reconcile-sendings.ts'
import { judgedAfterMs, listedAfterMs } from '../../src/domain/advance.ts'
import type { Lookup } from '../../src/domain/lookup.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import type { Purchase } from '../../src/domain/purchase.ts'
import type { Evidence } from '../../src/purchases/evidence.ts'

const settings = loadSettings({})
const terms = settings.forKind.analysis
const sendingAt = new Date('2026-11-17T03:00:00Z')
const after = (ms: number): Date => new Date(sendingAt.getTime() + ms)
const lateAt = after(listedAfterMs(terms))
const document = '12345678909'
const lookup = { kind: 'analysis', question: document, sendingAt, listSnapshotId: 1n } as Lookup

const complete = {
  id: 2n,
  beganAt: lateAt,
  complete: true,
  cut: false,
  lacks: false,
  youngestAt: lateAt,
  awaitedAt: null as Date | null,
  pageSized: false,
}

const judge = (
  snapshot: Partial<typeof complete>,
  evidence: Partial<Evidence> = {},
  call: Lookup = lookup,
): Promise<Outcome> =>
  reconcileSendings.each(call, { settings } as Parameters<typeof reconcileSendings.each>[1], {
    purchases: new Map(),
    radars: new Set(),
    snapshot: { ...complete, ...snapshot },
    deniesSome: false,
    lastComplete: null,
    willGrow: false,
    isHeld: false,
    before: new Map(),
    dating: null,
    ...evidence,
  })

test('a complete list proves a call absent only once it had the time to show it, whatever later calls it shows', async () => {
  const workedAt = after(judgedAfterMs(terms.request.timeout))
  const early = {
    beganAt: after(judgedAfterMs(terms.request.timeout) + 1_000),
    youngestAt: workedAt,
  }
  expect(await judge(early)).toEqual({ is: 'absent', lateAt })
  expect(await judge({})).toEqual({ is: 'absent', lateAt: null })
})

test('a list that nothing verifies waits for the next purchase, unless a hold prevents all purchases', async () => {
  const unverified = { youngestAt: null } as unknown as typeof complete
  const againAt = new Date(lateAt.getTime() + terms.purchases.listLag)
  expect(await judge(unverified, { willGrow: true })).toEqual({ is: 'absent', lateAt: againAt })
  expect(await judge(unverified, { willGrow: true, isHeld: true })).toEqual({ is: 'absent', lateAt: null })
  expect(await judge(unverified)).toEqual({ is: 'absent', lateAt: null })
  expect(await judge({ awaitedAt: lateAt, youngestAt: after(-1_000) })).toEqual({ is: 'absent', lateAt: againAt })
})

test('a list as long as a page proves a call absent only after a complete one, late enough and verified', async () => {
  const page = { pageSized: true }
  const unproven = { is: 'unproven', reason: ['lost_unproven'], lateAt: null }
  expect(await judge(page)).toEqual(unproven)
  expect(await judge(page, { lastComplete: complete })).toEqual({ is: 'absent', lateAt: null })
  expect(await judge(page, { lastComplete: { ...complete, beganAt: new Date(lateAt.getTime() - 1) } })).toEqual(
    unproven,
  )
  expect(await judge(page, { lastComplete: { ...complete, youngestAt: after(-1) } })).toEqual(unproven)
  expect(await judge(page, { lastComplete: { ...complete, youngestAt: null } })).toEqual(unproven)
  expect(await judge(page, { lastComplete: { ...complete, id: 1n } })).toEqual(unproven)
})

test('a refusal stands by no list that leaves out a purchase of ours, whatever later one it shows', async () => {
  const refused = { ...lookup, refusedAs: 'queued', unlistedAt: after(1_000) } as Lookup
  const page = { complete: false, cut: true, youngestAt: after(60_000) }
  const stands = { is: 'absent', lateAt: null }
  const unproven = { is: 'unproven', reason: ['lost_unproven'], lateAt: null }
  expect(await judge(page, {}, refused)).toEqual(stands)
  expect(await judge({ ...page, lacks: true }, {}, refused)).toEqual(unproven)
  expect(await judge({ ...page, awaitedAt: after(50_000) }, {}, refused)).toEqual(unproven)
})

const purchase: Purchase = {
  remote: { id: '7', key: null },
  dated: null,
  datedFrom: null,
  datedTo: null,
  seen: null,
  deleted: false,
  listSnapshotId: 2n,
  mayBeOthers: false,
}

test('an earlier list that may be a page does not prove that an old purchase was made since', async () => {
  const datedTo = after(-60 * 86_400_000)
  const purchases = new Map([[document, [{ ...purchase, dated: 'long ago', datedFrom: datedTo, datedTo }]]])
  const since = (pageSized: boolean) =>
    judge({}, { purchases, before: new Map([[1n, { complete: true, cut: false, pageSized }]]) })
  expect(await since(false)).toMatchObject({ is: 'adopted', charged: 'yes' })
  expect(await since(true)).toMatchObject({ reason: ['lost_older'] })
})

test('a page that lacks a purchase of ours is not read again in the hope that it grows', async () => {
  const outcome = await judge(
    { complete: false, cut: true, youngestAt: sendingAt, pageSized: true },
    {
      purchases: new Map([[document, [purchase]]]),
      willGrow: true,
      before: new Map([[1n, { complete: false, cut: true, pageSized: false }]]),
    },
  )
  expect(outcome).toEqual({ is: 'unproven', reason: ['lost_older'], lateAt: null })
})
