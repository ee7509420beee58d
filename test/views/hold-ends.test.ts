import { readFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { isStuck, readStatus } from '../../src/batches/batch-or-refuse.ts'
import type { CommandContext } from '../../src/cli/command.ts'
import { createProgress } from '../../src/cli/files/follow.ts'
import { resultOf } from '../../src/cli/files/run-result.ts'
import { nextStep, renderIncidents, renderStatus } from '../../src/cli/lines/batch.ts'
import { type HoldCause, holdCauses } from '../../src/domain/call-failure.ts'
import { holdEnds, needsPerson } from '../../src/domain/hold-ends.ts'
import { nextTrial } from '../../src/engine/hold.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { holdLane, resumeLane } from '../../src/store/fleet/lanes.ts'
import { readHolds, readIncidents } from '../../src/views/incident.ts'
import { setupGround } from '../batches/ground.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'

const now = new Date('2026-11-15T02:00:00Z')
const inAnHour = new Date(Date.now() + 3_600_000)
const lane = { organizationId: accounts[0].organizationId, kind: 'analysis' as const }

/** What every view shows of a batch whose lane is held for this cause. */
const viewsOf = async (cause: HoldCause) => {
  const trialAt = cause === 'operator' ? null : inAnHour
  await holdLane(t.sql, lane, { cause, reason: ['text', 'because'], trialAt }, now)
  const [held] = await readHolds(t.sql)
  const incident = (await readIncidents(t.sql)).find(({ what }) => what === 'lanes_held')!
  const lines = renderIncidents([incident], { timezone: 'America/Sao_Paulo', now, stdout: process.stdout })
  const status = { ...(await readStatus(t.sql, heldBatch, now)), workers: 1 }
  const stuck = await isStuck(t.sql, status)
  const ended = { status, ending: 'held', repeated: false, files: null, command: 'vigia run f.csv', price: null }
  const { next } = resultOf('f.csv', ended)
  await resumeLane(t.sql, lane)
  return {
    held: held!,
    incident,
    lines: lines.join('\n'),
    step: nextStep(status),
    hold: status.hold!,
    stuck,
    next: next!,
  }
}

const t = await setupGround()
afterAll(() => t[Symbol.asyncDispose]())

/** By cause. */
const views = {} as Record<HoldCause, Awaited<ReturnType<typeof viewsOf>>>
const { id: heldBatch } = await t.imported(csvOf(cpfs(3)))
for (const cause of holdCauses) views[cause] = await viewsOf(cause)

test('for every cause of a hold, all views agree on whether a person must act', () => {
  for (const cause of holdCauses) {
    const { held, hold, incident, lines, step, next } = views[cause]
    const { mustAct } = holdEnds[cause]
    expect([cause, held.needsPerson, hold.needsPerson]).toEqual([cause, needsPerson(cause), needsPerson(cause)])
    const answers = {
      incident: incident.mustAct,
      'first lines': /^ {2}To do: /m.test(lines),
      'nothing to do': !/^ {2}Nothing to do: /m.test(lines),
      'next step': step !== null,
      'after a run': !next.startsWith('`vigia run f.csv` resumes'),
    }
    expect([cause, answers]).toEqual([cause, Object.fromEntries(Object.keys(answers).map((place) => [place, mustAct]))])
  }
})

test('a run waits for an outage, a list, a token and refusals; it ends for a plan, access, the budget or an operator', () => {
  const ends = holdCauses.filter((cause) => views[cause].stuck)
  expect(ends.sort()).toEqual(['budget', 'denied', 'operator', 'plan'])
  expect(holdCauses.filter(needsPerson).sort()).toEqual(ends)
})

test('the first lines, a batch and a run show the same text for what to do', () => {
  const cures: [HoldCause, string][] = [
    ['token', 'set a new REGISTRY_TOKEN and REGISTRY_REFRESH_TOKEN and restart the workers'],
    ['plan', 'have the plan extended'],
    ['denied', 'have access restored, or correct REGISTRY_ORGANIZATION_ID'],
    ['refused', 'resolve the refusal with the registry'],
    ['fetch_refused', 'resolve the refusal with the registry'],
    ['operator', `\`vigia lane resume ${lane.organizationId}/analysis\``],
  ]
  for (const [cause, cure] of cures) {
    const { lines, step, next } = views[cause]
    expect(lines).toContain(`To do: ${cure}`)
    expect(step).toContain(cure)
    expect(next).toBe(`${cure}, then \`vigia run f.csv\` resumes where it stopped`)
  }
  expect(views.budget.next).toBe("`vigia run f.csv` resumes where it stopped with the next day's budget")
})

test('a hold is tried again as soon as documented, and a run waits for what is tried within minutes', () => {
  const tomorrow = new Date('2026-11-16T03:00:00Z')
  const engine = { tomorrow: () => tomorrow }
  for (const cause of holdCauses) {
    const tried = documented[cause]
    const latest = nextTrial(engine, cause, 1_000, now)
    expect([cause, howSoon(latest, tomorrow)]).toEqual([cause, tried])
    const { stuck, incident } = views[cause]
    expect([cause, stuck, incident.goesOnAlone]).toEqual([cause, tried !== 'within_minutes', latest !== null])
  }
})

const documented: Record<HoldCause, ReturnType<typeof howSoon>> = {
  outage: 'within_minutes',
  list: 'within_minutes',
  token: 'within_minutes',
  refused: 'within_minutes',
  fetch_refused: 'within_minutes',
  plan: 'within_hours',
  denied: 'within_hours',
  budget: 'next_day',
  operator: 'never',
}

const howSoon = (trial: Date | null, tomorrow: Date) => {
  if (trial === null) return 'never'
  if (trial === tomorrow) return 'next_day'
  return trial.getTime() - now.getTime() <= 600_000 ? 'within_minutes' : 'within_hours'
}

test('a batch that only fetches paid answers is shown as running on the command line too, whatever holds its lane', async () => {
  const { id } = await t.imported(csvOf(cpfs(3, 10)))
  await holdLane(t.sql, lane, { cause: 'plan', reason: ['text', 'because'], trialAt: inAnHour }, now)
  const start = new Date(now.getTime() - 10_000)
  await t.sql`update vigia.batch set started_at = ${start} where id = ${id}`
  expect(await onCommandLine(id)).toMatchObject({
    shown: 'held',
    progress: expect.stringMatching(/: held \(plan\), 0 of 3 rows 0 charged\n$/),
    facts: expect.stringMatching(/^State +held$.*^Held +lane 7001\/analysis \(plan: because\)/ms),
  })

  await t.sql`update vigia.lookup set state = 'waiting', remote_id = id::text where batch_id = ${id}`
  await t.sql`
    update vigia.lookup set state = 'ok', charged = 'yes', finished_at = ${now}, due_at = null
     where batch_id = ${id} and question = ${cpf(10)}`
  await t.sql`insert into vigia.batch_count (batch_id, state, rows) values (${id}, 'ok', 1)`
  const { shown, progress, facts } = await onCommandLine(id)
  expect(shown).toBe('running')
  expect(progress).toMatch(/: looking up, 1 of 3 rows /)
  expect(facts).toMatch(/^State +running$/m)
  expect(facts).toMatch(/^Time left +20 s$/m)
  expect(facts).not.toMatch(/^Held|plan extended/m)
})

/** The progress line of a batch, and the output of `vigia batch`. */
const onCommandLine = async (id: bigint) => {
  const status = { ...(await readStatus(t.sql, id, now)), workers: 1 }
  let progress = ''
  const stderr = { write: (text: string) => (progress += text) }
  createProgress({ stderr } as unknown as CommandContext).show([status], now)
  return { shown: status.shown, progress, facts: renderStatus({ ...status, price: null, parked: [] }, 'UTC') }
}

test('on a terminal each batch has one line, drawn anew in place and no wider than the terminal', async () => {
  const one = await readStatus(t.sql, heldBatch, now)
  const statuses = [one, { ...one, batch: one.batch + 1, total: 5, done: 2 }]
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 90 })
  const progress = createProgress({ stderr } as unknown as CommandContext)

  progress.show(statuses, now)
  progress.show(statuses, now)
  progress.end()

  const drawn = String(stderr.read())
  expect(drawn.startsWith('\x1b[?25l')).toBe(true)
  expect(drawn.endsWith('\x1b[?25h')).toBe(true)
  const lines = drawn.slice(drawn.lastIndexOf('\x1b[2A')).split('\n').slice(0, -1)
  expect(lines).toEqual([expect.stringContaining('0/3'), expect.stringContaining('2/5')])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor takes no column.
  for (const line of lines) expect(line.replace(/[\r\x1b](\[\d*[A-Z])?/g, '').length).toBeLessThan(90)
})

test('the alert rules distinguish a lane that needs a person from one that resumes by itself', async () => {
  const rules = await readFile(new URL('../../ops/prometheus-rules.yaml', import.meta.url), 'utf8')
  const causesOf = (alert: string) =>
    new RegExp(`alert: ${alert}\\n.*cause=~"([^"]+)"`).exec(rules)![1]!.split('|').sort()
  // An operator knows of a hold that an operator made.
  const others = holdCauses.filter((cause) => cause !== 'operator').sort()
  expect(causesOf('VigiaLaneHeldForPerson')).toEqual(others.filter((cause) => holdEnds[cause].mustAct))
  expect(causesOf('VigiaLaneHeldLong')).toEqual(others.filter((cause) => !holdEnds[cause].mustAct))
})
