import { setTimeout as pause } from 'node:timers/promises'
import type { ScenarioPatch } from '../../../src/sandbox/scenario.ts'
import { cpfs } from '../../support/documents.ts'
import { check } from '../checker.ts'
import { outcomeOf, type Scenario, unlessOk } from '../scenario.ts'

const answers = [
  { status: 200, body: '{"success":false,"reason":"Tente mais tarde"}' },
  { status: 400, body: '{"message":"Requisição inválida","error":"BadRequest"}' },
  { status: 402, body: '{"message":"Saldo esgotado"}' },
  { status: 409, body: '{"message":"Em processamento"}' },
  { status: 429, body: '{"message":"Too many requests"}' },
]

/** Every sixth call is refused, half of these after they were charged. */
const faults: ScenarioPatch['faults'] = answers.flatMap((answer, i) =>
  [true, false].map((worked) => ({
    operation: 'generate' as const,
    fault: 'reply' as const,
    worked,
    share: 0.02 + 0.002 * i,
    ...answer,
  })),
)

/** A registry that refuses calls, some after charging: each document is paid once, and none is left without an answer. */
export const refusals: Scenario = {
  name: 'refusals',
  size: '600 documents, 5 kills; full: 3,000, 40 kills',
  async run({ open, random, full }) {
    const size = full ? { documents: 3_000, kills: 40 } : { documents: 600, kills: 5 }
    await using arena = await open({
      scenario: { faults, latency: { all: { ms: 20, jitter: 15 } } },
      config: { purchases: { listLag: '500ms' } },
    })
    await arena.fleet.startMany(3)
    await arena.submit(cpfs(size.documents))
    for (let killed = 0; killed < size.kills; killed++) {
      await pause(random.between(200, 900))
      await arena.fleet.killOne(random)
      await arena.fleet.start()
    }
    await arena.finished(300_000)
    const findings = await check(arena)
    const { charges } = findings.figures
    return outcomeOf(findings, { kills: size.kills }, [
      ...unlessOk(findings),
      charges !== size.documents && `${charges} charges for ${size.documents} documents`,
    ])
  },
}
