import { readOwnNames } from '../batches/own-rows.ts'
import { localDay } from '../domain/calendar.ts'
import { maskDocument } from '../domain/document.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import { riskChanges } from '../domain/risk-change.ts'
import { severities } from '../domain/rule.ts'
import { type Coverage, coverageSentence } from '../domain/sweep.ts'
import { inEnglish } from '../messages/message.ts'
import type { Database, Sql } from '../store/connect.ts'
import { countMoved } from '../store/radars/free-figures.ts'
import { countNotified, insertChanges } from '../store/radars/rules-met.ts'
import { streamDifferences, takeSnapshots } from '../store/radars/snapshots.ts'
import { cancelUnasked, finishSweepBatches, listOrganizations } from '../store/radars/sweep-organizations.ts'
import { coverageOf, finishSweep, type RunName, type Sweep } from '../store/radars/sweeps.ts'
import { type ChangeLine, listChanges } from '../views/change.ts'
import { countUnverified } from '../views/sweep.ts'
import { writeChangesFile } from './changes-file.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import { type NotifyContext, notifyPeople } from './notify-people.ts'
import { judgeChanges, rulesInForce } from './rules.ts'

/**
 * Ends a radar sweep: snapshots, changes since the last ones, the file of changes, and the record of its coverage.
 *
 * Every part can be repeated over the same rows with the same result, so a worker that dies in between loses nothing.
 * Nobody is notified twice: the webhook is stored in the transaction that ends the sweep.
 */
export const finishRadarSweep = async (tools: MonitoringTools, sweep: Sweep): Promise<void> => {
  const { sql, clock, settings, home, log } = tools
  await sql.begin(async (tx) => {
    const organizationIds = tools.accounts.map(({ organizationId }) => organizationId)
    await takeSnapshots(tx, sweep.id, { organizationIds, now: clock() })
    await findChanges(tx, sweep.id, clock())
    await judgeChanges(tx, await rulesInForce(tx, settings.rules), sweep.id)
  })
  const day = localDay(sweep.startedAt, settings.timezone)
  const file = await writeChangesFile(sql, { folder: home.outbox, day, timezone: settings.timezone })
  const coverage = await coverageOf(sql, sweep.id)
  const detail = { ...(await detailOf(sql, sweep, coverage)), file }
  const ended = await sql.begin(async (tx) => {
    const end = { state: 'done' as const, ...coverage, detail, now: clock() }
    if (!(await finishSweep(tx, sweep.id, end))) return false
    await notifyNight(
      tools,
      sweep,
      { about: 'sweep.finished', coverage, ...detail, reasons: await reasonsOf(tx, sweep.id) },
      tx,
    )
    return true
  })
  await closeSweepBatches(sql, clock())
  if (ended) log.info({ sweep: String(sweep.id), ...coverage, file }, coverageSentence(coverage))
}

const findChanges = async (tx: Sql, sweepId: bigint, now: Date): Promise<void> => {
  for await (const differences of streamDifferences(tx, sweepId)) {
    const changes = differences.flatMap(({ organizationId, document, before, after }) =>
      riskChanges(before, after).map((change) => ({ ...change, organizationId, document })),
    )
    await insertChanges(tx, sweepId, changes, now)
  }
}

const detailOf = async (sql: Sql, sweep: Sweep, coverage: Coverage) => {
  const organizations = await listOrganizations(sql, sweep.id)
  return {
    unverified: coverage.unverified,
    moved: Object.fromEntries((await countMoved(sql, sweep.id)).map(({ moved, documents }) => [moved, documents])),
    organizations: organizations.map(({ organizationId, list, message }) => ({
      organizationId: Number(organizationId),
      list,
      reason: message && inEnglish(message),
    })),
  }
}

const reasonsOf = async (sql: Sql, sweepId: bigint) =>
  (await countUnverified(sql, sweepId)).map(({ message, documents }) => ({
    reason: message ? inEnglish(message) : '',
    said: message,
    documents,
  }))

type Night = Pick<Sweep, 'id' | 'slot' | 'startedAt'> & { name: RunName }

/** Each receiver gets one notification per sweep: the full digest, or only what reaches their severity. */
export const notifyNight = async (
  tools: NotifyContext,
  { id, name, slot, startedAt }: Night,
  { about, coverage, ...facts }: { about: string; coverage: Coverage } & Record<string, unknown>,
  tx: Sql,
): Promise<void> => {
  const sweep = { id: Number(id), name, slot, startedAt: startedAt.toISOString() }
  const [told, worst] = [await countNotified(tx, id), await worstOf(tx, id)]
  const body = { sweep, ...coverage, says: coverageSentence(coverage), ...facts, told, worst }
  await notifyPeople(tools, { key: `${about} ${id}`, about, severity: 'info', body }, tx)
  const severity = severities.toReversed().find((each) => told[each])
  if (!severity) return
  const met = { ...body, worst: worst.filter(({ rules }) => rules.length > 0) }
  await notifyPeople(tools, { key: `rule.met ${id}`, about: 'rule.met', severity, body: met, notTo: 'info' }, tx)
}

/** The worst changes, with documents masked and with the reference of the reader's own file. */
const worstOf = async (sql: Sql, sweepId: bigint) => {
  const changes = await listChanges(sql, { sweepId, limit: 50 })
  const news = changes.filter(isNews)
  const ownNames = await readOwnNames(sql, news)
  const ownRef = (change: ChangeLine) => maskDocuments(ownNames(change)?.ref ?? '') || null
  return news.map((change) => ({ ...maskedChange(change), ref: ownRef(change) }))
}

/** What a notification lists. Its reasons count unchecked documents, and first figures of a document are no change. */
const isNews = ({ field, verdict }: ChangeLine): boolean =>
  verdict === 'added' ? field === 'radar' || field === 'portfolio' : verdict !== 'unchecked'

const maskedChange = ({ organizationId, document, name, field, verdict, before, after, rules }: ChangeLine) => ({
  organizationId: Number(organizationId),
  document: maskDocument(document),
  name: name === null ? null : maskDocuments(name),
  field,
  verdict,
  ...(field === 'name' ? { before: null, after: null } : { before, after }),
  rules: rules.filter(({ notified }) => notified).map(({ rule, severity }) => ({ rule, severity, told: true })),
})

/**
 * Closes the batches of finished sweeps: look-ups that nobody waits for are not asked any more. Paid look-ups are still
 * fetched, and a later call closes their batch.
 */
export const closeSweepBatches = (sql: Database, now: Date): Promise<number> =>
  sql.begin(async (tx) => {
    await cancelUnasked(tx, now)
    return finishSweepBatches(tx, now)
  })
