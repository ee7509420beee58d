import { expect, test } from 'vitest'
import { loadSettings } from '../../config/settings.ts'
import { reconcileSendings } from '../../jobs/reconcile-sendings.ts'
import { judgedAfterMs, listedAfterMs } from '../../src/domain/advance.ts'
import type { Ending } from '../../src/domain/ending.ts'
import type { Lookup } from '../../src/domain/lookup.ts'
import type { Purchase } from '../../src/domain/purchase.ts'
import type { Evidence } from '../../src/purchases/evidence.ts'

const settings = loadSettings({})
const terms = settings.forKind.analysis
const sendingAt = new Date('2026-11-17T03:00:00Z')
const after = (ms: number): Date => new Date(sendingAt.getTime() + ms)
const lateAt = after(listedAfterMs(terms))
const document = '12345678909'
const lookup = { kind: 'analysis', question: document, sendingAt, readingId: 1n } as Lookup

const whole = {
  beganAt: lateAt,
  complete: true,
  cut: false,
  oldestAt: after(-1_000),
  youngestAt: lateAt,
  knownAt: lateAt,
  pageSized: false,
}

const judge = (reading: Partial<typeof whole>, evidence: Partial<Evidence> = {}): Promise<Ending> =>
  reconcileSendings.each(lookup, { settings } as Parameters<typeof reconcileSendings.each>[1], {
    purchases: new Map(),
    radars: new Set(),
    reading: { ...whole, ...reading },
    willGrow: false,
    isHeld: false,
    before: new Map(),
    dating: null,
    ...evidence,
  })

test('a whole list proves a call absent only once it had the time to show it, whatever it shows of later ones', async () => {
  const workedAt = after(judgedAfterMs(terms.request.timeout))
  const early = {
    beganAt: after(judgedAfterMs(terms.request.timeout) + 1_000),
    youngestAt: workedAt,
    knownAt: workedAt,
  }
  expect(await judge(early)).toEqual({ is: 'absent', lateAt })
  expect(await judge({})).toEqual({ is: 'absent', lateAt: null })
})

test('a list that nobody vouches for waits for the next purchase, unless a hold keeps everyone from buying', async () => {
  const unvouched = { oldestAt: null, youngestAt: null, knownAt: null } as unknown as typeof whole
  const againAt = new Date(lateAt.getTime() + terms.purchases.listLag)
  expect(await judge(unvouched, { willGrow: true })).toEqual({ is: 'absent', lateAt: againAt })
  expect(await judge(unvouched, { willGrow: true, isHeld: true })).toEqual({ is: 'absent', lateAt: null })
  expect(await judge(unvouched)).toEqual({ is: 'absent', lateAt: null })
  expect(await judge({ knownAt: lateAt, youngestAt: after(-1_000) })).toEqual({ is: 'absent', lateAt: againAt })
})

test('a page that lacks a purchase of ours is not waited for to grow', async () => {
  const purchase: Purchase = {
    remote: { id: '7', key: null },
    dated: null,
    datedFrom: null,
    datedTo: null,
    seen: null,
    deleted: false,
    readingId: 2n,
  }
  const ending = await judge(
    { complete: false, cut: true, youngestAt: sendingAt, pageSized: true },
    {
      purchases: new Map([[document, [purchase]]]),
      willGrow: true,
      before: new Map([[1n, { complete: false, cut: true }]]),
    },
  )
  expect(ending).toEqual({ is: 'unproven', reason: ['lost_older'], lateAt: null })
})
