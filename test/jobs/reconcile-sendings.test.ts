import { expect, test } from 'vitest'
import { loadSettings } from '../../config/settings.ts'
import { reconcileSendings } from '../../jobs/reconcile-sendings.ts'
import { judgedAfterMs, listedAfterMs } from '../../src/domain/advance.ts'
import type { List } from '../../src/domain/judge.ts'
import type { Lookup } from '../../src/domain/lookup.ts'
import type { Outcome } from '../../src/domain/outcome.ts'

const settings = loadSettings({})
const terms = settings.forKind.analysis
const sendingAt = new Date('2026-11-17T03:00:00Z')
const after = (ms: number): Date => new Date(sendingAt.getTime() + ms)
const lookup = { kind: 'analysis', question: '12345678909', sendingAt, listSnapshotId: 1n, refusedAs: null } as Lookup

const judge = (list: Partial<List>, call: Partial<Lookup> = {}): Promise<Outcome> =>
  reconcileSendings.each({ ...lookup, ...call }, { settings } as Parameters<typeof reconcileSendings.each>[1], {
    purchases: new Map(),
    radars: new Set(),
    list: {
      beganAt: after(listedAfterMs(terms)),
      complete: true,
      lacks: false,
      oldestAt: null,
      youngestAt: after(0),
      requiredAt: null,
      awaitedAt: null,
      shows: null,
      growsAt: null,
      isHeld: false,
      deniesSome: false,
      ...list,
    },
    before: new Map(),
  })

test('a list proves a call absent once its deadline and the lag of the list have passed', async () => {
  const lateAt = after(listedAfterMs(terms))
  expect(await judge({ beganAt: after(judgedAfterMs(terms.request.timeout) + 1_000) })).toEqual({
    is: 'absent',
    lateAt,
  })
  expect(await judge({ beganAt: lateAt })).toEqual({ is: 'absent', lateAt: null })
})

test('a refused call needs no deadline, but the lag of the list since it was refused', async () => {
  const refused = { refusedAs: 'queued', unlistedAt: after(1_000) } as const
  const lateAt = after(1_000 + terms.purchases.listLag)
  expect(await judge({ beganAt: after(2_000) }, refused)).toEqual({ is: 'absent', lateAt })
  expect(await judge({ beganAt: lateAt }, refused)).toEqual({ is: 'absent', lateAt: null })
})
