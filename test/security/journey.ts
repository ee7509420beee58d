import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Kind } from '../../src/domain/kind.ts'
import type { OperationName } from '../../src/sandbox/operations.ts'
import { type Installed, install } from '../cli/vigia-process.ts'
import { startReceiver } from '../monitoring/receiver.ts'
import { bodiesOf, startMailbox } from '../notify/mailbox.ts'
import { until } from '../support/until.ts'
import { type Canaries, companies, documents, people, spellings } from './canaries.ts'
import { echoesOf, holding } from './echoes.ts'
import { mistakeOnPage, mistakeOnTerminal, pageOf, type ShownText, type Vigia } from './mistakes.ts'

export type Journey = AsyncDisposable &
  Pick<Installed, 'sql' | 'home'> & { shownTexts: ShownText[]; canaries: Canaries; echoed: number }

const webhookSecret = 'canary-webhook-secret'
const webhookKey = 'canary-webhook-key'

/** Short limits: a look-up that is always refused ends with the last refusal. */
const shortLimits = {
  polling: { first: '20ms', max: '100ms', deadline: '6s' },
  request: { timeout: '600ms', retries: 1 },
  import: { settle: '10ms' },
  radarSweep: { refresh: 'processes', analysisEvery: null },
}

/**
 * Sends the canaries through the real program: every kind, every input and output, every failure of a registry that
 * repeats what it receives. Returns everything that the program has shown to anybody.
 */
export const travel = async (): Promise<Journey> => {
  await using stack = new AsyncDisposableStack()
  const receiver = stack.use(await startReceiver([500, 403]))
  const mailbox = stack.use(await startMailbox())
  const alerts = {
    webhook: `${receiver.url}/${webhookKey}`,
    email: { from: 'vigia@example.com', to: ['ana@example.com'] },
    slack: { url: `${receiver.url}/${webhookKey}/slack` },
    teams: { url: `${receiver.url}/${webhookKey}/teams` },
    allowPrivate: true,
  }
  const g = stack.use(await install({ ...shortLimits, alerts }))
  Object.assign(g.env, { VIGIA_WEBHOOK_SECRET: webhookSecret, SMTP_URL: mailbox.url, LOG_LEVEL: 'trace' })
  const shownTexts: ShownText[] = []
  const vigia = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await g.vigia(...args)
    shownTexts.push({ where: `stderr of vigia ${args[0]}`, text: stderr })
    if (exitCode === 1 || exitCode === 2) shownTexts.push({ where: `failure of vigia ${args[0]}`, text: stdout })
    return stdout
  }
  const operators = await Promise.all(
    ['admin', 'ops'].map(async (role) => JSON.parse(await vigia('operator', 'add', role, '--role', role, '--json'))),
  )
  const [admin, ops] = operators.map(({ token }) => String(token)) as [string, string]

  const worker = g.start('worker', '--json')
  const log = collect(worker.child.stderr!)
  const greeting = collect(worker.child.stdout!)
  stack.defer(async () => {
    worker.child.kill('SIGKILL')
    await worker.ended
  })
  const { url, signInLink } = await until(async () => readGreeting(greeting.text))
  const page = pageOf(url, shownTexts)

  await renewToken(g)
  await repeat(g, vigia, shownTexts)
  await askEverything(g)
  await askWhatStopsLanes(g)
  await monitor(g, vigia)
  await repeatAgain(g, vigia, shownTexts)
  await mistakeOnPage(page, admin, ops)
  await Promise.all([mistakeOnTerminal(g, vigia), breakTheDatabase(g, shownTexts)])
  await runsEnded(g, 2)
  await killToken(g)
  await until(async () => receiver.received.length > 4 && mailbox.received.length > 4, 60_000)
  shownTexts.push({ where: '/metrics', text: await (await fetch(new URL('/metrics', url))).text() })

  worker.child.kill('SIGTERM')
  await worker.ended
  shownTexts.push({ where: 'log of the worker', text: log.text })
  for (const { headers, body } of receiver.received)
    shownTexts.push({ where: 'webhook, Slack or Teams', text: JSON.stringify(headers) + body })
  for (const mail of mailbox.received) shownTexts.push({ where: 'mail', text: mail.raw + bodiesOf(mail) })

  const link = new URL(signInLink).searchParams.get('link')!
  const password = new URL(g.env.DATABASE_URL!).password
  const tokens = [...g.sandbox.records.tokens.keys()]
  const given = [g.sandbox.credentials.refreshToken, webhookSecret, webhookKey, admin, ops, link, 'vig_stranger-canary']
  const canaries = { documents, secrets: [...tokens, ...given, ...(password ? [password] : [])] }
  const held = stack.move()
  const echoed = g.sandbox.ledger.faults.reply ?? 0
  return { sql: g.sql, home: g.home, shownTexts, canaries, echoed, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

const collect = (stream: Readable): { text: string } => {
  const collected = { text: '' }
  stream.on('data', (bytes) => {
    collected.text += bytes
  })
  return collected
}

const readGreeting = (text: string): { url: string; signInLink: string } | null =>
  text.endsWith('}\n') ? JSON.parse(text) : null

/** The token in use from here on is one that no setting has ever named. */
const renewToken = async ({ sandbox, ...g }: Installed): Promise<void> => {
  sandbox.expireTokens()
  await dropFile(g, 'processes', 'first.csv', people.slice(0, 1))
  await until(async () => sandbox.records.tokens.size > 1)
}

const asked: [Kind, OperationName[], string[]][] = [
  ['analysis', ['generate', 'consult', 'activities'], documents],
  ['cnh', ['cnhCreate', 'cnhRead', 'cnhLatest'], people],
  ['scr', ['scr'], documents],
  ['processes', ['processCount'], documents],
  ['radar', ['radarAdd', 'radarList'], documents],
]

const askEverything = async (g: Installed): Promise<void> => {
  const token = tokenOf(g)
  const operations = asked.flatMap(([, each]) => each)
  g.sandbox.setScenario({ faults: operations.flatMap((operation) => echoesOf(operation, token)) })
  for (const [kind, , rows] of asked)
    await dropFile(g, kind, `${kind}.csv`, [...rows, ...mistyped, ...rows.map((row) => spellings[1]!(row))])
  await allReported(g, asked.length + 1)
  g.sandbox.setScenario({ faults: [] })
}

/** The wrong check digits make a mistyped document, which still belongs to somebody. */
const mistyped = ['1144477700016', '12ABC34501DE3', `${people[0]}${people[1]}`]

const askWhatStopsLanes = async (g: Installed): Promise<void> => {
  const token = tokenOf(g)
  const faults = [
    ...holding('scr', 'PLAN_NOT_ALLOWED', token),
    ...holding('processCount', 'ErrorForbiddenException', token),
  ]
  g.sandbox.setScenario({ faults })
  await dropFile(g, 'scr', 'blocked.csv', documents, 'cpf_cnpj')
  await dropFile(g, 'processes', 'denied.csv', documents, 'cpf_cnpj')
  await allReported(g, asked.length + 3)
  g.sandbox.setScenario({ faults: [] })
  await g.sql`delete from vigia.lane`
}

const monitor = async (g: Installed, vigia: Vigia): Promise<void> => {
  for (const code of documents) g.sandbox.plantRadar({ code, name: `Radar of ${spellings[1]!(code)}` })
  await vigia('radars', 'sync', '--yes')
  for (const document of documents) g.sandbox.plantChange(document, { processes: 77 })
  g.sandbox.setScenario({ faults: echoesOf('processCount', tokenOf(g)).slice(0, 20) })
  await vigia('sweep', 'radars', '--yes')
  g.sandbox.setScenario({ faults: [] })
  g.sandbox.alreadyGenerated(companies[1]!)
  await Promise.all([vigia('sweep', 'usage'), vigia('sweep', 'unfinished')])
}

/** The same documents as portfolios, with a canary in every cell: the first run happens during the echoes. */
const repeat = async (g: Installed, vigia: Vigia, shownTexts: ShownText[]): Promise<void> => {
  const [person] = people
  const rows = documents.map((document) => `${document};Name of ${spellings[1]!(document)};${document}`)
  const list = await g.write('list.csv', `documento;nome;ref\n${rows.join('\n')}\n`)
  const few = await g.write('few.csv', `documento;nome;ref\n${rows.slice(1).join('\n')}\n`)
  for (const args of [
    ['add', person!, list, '--every', '30d'],
    ['add', 'Canaries', list, '--kind', 'processes', '--every', '30d'],
    ['sync', 'Canaries', few, '--dry-run'],
    ['Canaries'],
  ])
    shownTexts.push({ where: 'vigia portfolio', text: await vigia('portfolio', ...args) })
}

/** A second run with a person who left the list and changed figures, so that everyone is notified. */
const repeatAgain = async (g: Installed, vigia: Vigia, shownTexts: ShownText[]): Promise<void> => {
  await runsEnded(g, 1)
  for (const document of documents) g.sandbox.plantChange(document, { processes: 99 })
  shownTexts.push({
    where: 'vigia portfolio',
    text: await vigia('portfolio', 'sync', 'Canaries', join(g.home, 'few.csv')),
  })
  await g.sql`update vigia.portfolio set due_at = now()`
}

const runsEnded = async ({ sql }: Installed, runs: number): Promise<void> => {
  const ended = async () =>
    (await sql`select from vigia.sweep where name = 'portfolio' and finished_at is not null`).length >= runs
  await until(ended, 150_000)
}

/** PostgreSQL repeats the row that it refuses, and a failed job is stored with its error until it is tried again. */
const breakTheDatabase = async (g: Installed, shownTexts: ShownText[]): Promise<void> => {
  const [, , , , person] = people
  await g.sql.unsafe(`alter table vigia.lookup add constraint canary check (question <> '${person}') not valid`)
  await dropFile(g, '', 'refused.csv', [person!], 'cpf_cnpj')
  const output = await until(async () => {
    const [job] = await g.sql`select output::text from pgboss.job where name = 'import-batch' and output is not null`
    return job?.output as string | undefined
  })
  shownTexts.push({ where: 'output of a failed job', text: output })
  await g.sql.unsafe('alter table vigia.lookup drop constraint canary')
}

/** The last renewal is refused, with a message that repeats both tokens. */
const killToken = async (g: Installed): Promise<void> => {
  const shown = `${g.sandbox.credentials.refreshToken} of ${tokenOf(g)}`
  const body = JSON.stringify({ error: shown, message: shown })
  g.sandbox.setScenario({ faults: [{ operation: 'refresh', fault: 'reply', status: 400, body }] })
  g.sandbox.expireTokens()
  await dropFile(g, 'inactivation', 'dead.csv', ['0000001-78.2020.8.26.0100'], 'numero_processo')
  await until(async () => (await g.sql`select from vigia.lane where cause = 'token'`).length > 0)
}

const tokenOf = ({ sandbox }: Installed): string => [...sandbox.records.tokens.keys()].at(-1)!

const dropFile = async (
  { home }: Pick<Installed, 'home'>,
  folder: string,
  name: string,
  rows: string[],
  header = 'documento',
): Promise<void> => {
  const inbox = join(home, 'inbox', folder)
  await mkdir(inbox, { recursive: true })
  await writeFile(join(inbox, `.${name}`), `${header}\n${rows.join('\n')}\n`)
  await rename(join(inbox, `.${name}`), join(inbox, name))
}

const allReported = async ({ sql }: Installed, batches: number): Promise<void> => {
  const reported = async () =>
    (await sql`select from vigia.batch where source = 'inbox' and exported_at is not null`).length >= batches
  await until(reported, 60_000)
}
