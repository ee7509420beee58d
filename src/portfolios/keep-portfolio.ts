import { readQuestions, rowReader } from '../batches/layout.ts'
import { readTable } from '../batches/read-layout.ts'
import { readStoredFile, readUnderClaim, storeFile } from '../batches/stored-file.ts'
import { rememberedColumns } from '../batches/submit.ts'
import { type Document, readDocument } from '../domain/document.ts'
import { everyBounds, isPortfolioName, type PortfolioKind } from '../domain/portfolio.ts'
import { readPurpose } from '../domain/purpose.ts'
import { nameColumn } from '../files/columns/find-columns.ts'
import type { ReadOptions } from '../files/columns/read-options.ts'
import { openCsv } from '../files/csv/read.ts'
import { MessageError } from '../messages/message.ts'
import { dropUnneeded } from '../store/batches/files.ts'
import { besideAnother, type Database, type Sql, type Transaction } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import {
  addDocuments,
  compareListed,
  copyListed,
  countDocuments,
  type ListDifference,
  openListed,
  removeDocuments,
  takeListed,
} from '../store/portfolios/documents.ts'
import {
  changeInterval,
  changeKind,
  changePurpose,
  deletePortfolio,
  findPortfolio,
  insertPortfolio,
  lockPortfolio,
  makeDue,
  type Portfolio,
  pausePortfolio,
  resumePortfolio,
} from '../store/portfolios/portfolios.ts'

type Who = { by: string; now: Date }
type NewList = ListFile & { name: string; kind: PortfolioKind; everyMs: number; purpose?: string | null }

/** What a file changes in a portfolio: documents added and removed, and rows that could not be read. */
export type Listed = ReadList & ListDifference

/** Creates a portfolio from a file; its first run is due at once. */
export const addPortfolio = (sql: Database, list: NewList, who: Who): Promise<Listed> =>
  whileClaimed(sql, async (tx) => {
    const { name, kind, everyMs, organizationId, purpose = null } = list
    if (!isPortfolioName(name)) throw new PortfolioRefusal(['portfolio_name'])
    const terms = { organizationId, name, kind, everyMs: readInterval(everyMs), purpose }
    const id = await insertPortfolio(tx, terms, who)
    if (id === null) throw new PortfolioRefusal(['portfolio_exists', name])
    return takeList(tx, { id, name, list, purpose, action: 'add portfolio' }, who)
  })

/**
 * Replaces the documents of a portfolio by those of a file, and returns which were added and removed. Nothing is spent:
 * the next run asks about them. With `only: 'compare'` it only compares.
 */
export const syncPortfolio = (
  sql: Database,
  { name, open, choice, only }: Pick<ListFile, 'open' | 'choice'> & { name: string; only?: 'compare' },
  who: Who,
): Promise<Listed> =>
  whileClaimed(sql, async (tx) => {
    const { id, name: kept, kind, organizationId } = await locked(tx, name)
    const list = { open, choice, kind, organizationId: Number(organizationId) }
    if (only === 'compare') {
      const read = await readList(tx, list)
      return { ...read, ...(await compareListed(tx, id)) }
    }
    return takeList(tx, { id, name: kept, list, action: 'sync portfolio' }, who)
  })

/** The file may be stored in the same database, so it is read over another connection. */
const whileClaimed = (sql: Database, take: (tx: Transaction) => Promise<Listed>): Promise<Listed> =>
  besideAnother(sql, async () => sql.begin(take))

type Taking = { id: bigint; name: string; list: ListFile; purpose?: string | null; action: string }

const takeList = async (
  tx: Transaction,
  { id, name, list, purpose, action }: Taking,
  { by, now }: Who,
): Promise<Listed> => {
  const read = await readList(tx, list)
  const difference = await compareListed(tx, id)
  if (difference.documents === 0) throw new PortfolioRefusal(['portfolio_empty'])
  await takeListed(tx, id, now)
  const { documents, added, removed } = difference
  const detail = { documents, added: added.count, removed: removed.count, ...(purpose && { purpose }) }
  await recordAudit(tx, by, action, `portfolio ${name}`, detail)
  return { ...read, ...difference }
}

/** A list is read several times but arrives once, so it is stored until it has been read. */
export const whileStored = async <T>(
  sql: Database,
  bytes: AsyncIterable<Uint8Array>,
  use: (open: () => AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> => {
  const { id } = await storeFile(sql, bytes)
  try {
    return await readUnderClaim(sql, { fileId: id }, () => use(() => readStoredFile(sql, id)))
  } finally {
    await dropUnneeded(sql, id)
  }
}

type AuditDetail = Parameters<typeof recordAudit>[4]

/** An action on a portfolio: what it changes, and the details of its audit entry. */
const acting =
  <Given extends unknown[]>(
    action: string,
    act: (tx: Transaction, portfolio: Portfolio, who: Who, ...given: Given) => Promise<AuditDetail>,
  ) =>
  (sql: Database, name: string, who: Who, ...given: Given): Promise<Portfolio> =>
    sql.begin(async (tx) => {
      const portfolio = await locked(tx, name)
      const detail = await act(tx, portfolio, who, ...given)
      await recordAudit(tx, who.by, `${action} portfolio`, `portfolio ${portfolio.name}`, detail)
      return portfolio
    })

/** No run begins until the portfolio is resumed. A run that is under way continues. */
export const pauseRuns = acting('pause', async (tx, { id, name }, { now }) => {
  if (!(await pausePortfolio(tx, id, now))) throw new PortfolioRefusal(['portfolio_paused', name])
})

export const resumeRuns = acting('resume', async (tx, { id, name }) => {
  if (!(await resumePortfolio(tx, id))) throw new PortfolioRefusal(['portfolio_not_paused', name])
})

/** Deletes the list for good. A batch that is under way continues. */
export const removePortfolio = acting('remove', async (tx, { id }, { now }) => {
  await deletePortfolio(tx, id, now)
})

/** The next run is due now. It buys within the same limits and approvals as any other. */
export const runNow = acting('run', async (tx, portfolio, { now }) => {
  if (portfolio.pausedAt) throw new PortfolioRefusal(['portfolio_paused', portfolio.name])
  refuseDuringRun(portfolio)
  await makeDue(tx, portfolio.id, now)
})

/** What is edited; documents as people write them. */
type PortfolioEdit = { kind?: PortfolioKind; everyMs?: number; purpose?: string; add?: string[]; drop?: string[] }

/** Changes interval, kind and list. After a change of its kind the next run is a baseline. */
export const editPortfolio = acting('edit', async (tx, portfolio, { now }, edit: PortfolioEdit) => {
  const { id } = portfolio
  const { everyMs, kind } = edit
  const purpose = readPurpose(edit.purpose)
  if (purpose) await changePurpose(tx, id, purpose)
  if (everyMs !== undefined) await changeInterval(tx, id, readInterval(everyMs), now)
  if (kind && kind !== portfolio.kind) {
    refuseDuringRun(portfolio)
    await changeKind(tx, id, kind, now)
  }
  const added = await addDocuments(tx, id, (edit.add ?? []).map(readListed), now)
  const removed = await removeDocuments(tx, id, (edit.drop ?? []).map(readListed), now)
  if ((await countDocuments(tx, id)) === 0) throw new PortfolioRefusal(['portfolio_empty'])
  return {
    ...(everyMs !== undefined && { everyMs }),
    ...(kind && { kind }),
    ...(purpose && { purpose }),
    added,
    removed,
  }
})

export const portfolioOrRefuse = async (sql: Sql, name: string): Promise<Portfolio> => {
  const portfolio = await findPortfolio(sql, name)
  if (!portfolio) throw new PortfolioRefusal(['no_portfolio', name])
  return portfolio
}

const locked = async (tx: Sql, name: string): Promise<Portfolio> => {
  const { id } = await portfolioOrRefuse(tx, name)
  return (await lockPortfolio(tx, id))!
}

/** A request about a portfolio that is not possible; the message says why. */
class PortfolioRefusal extends MessageError {
  override readonly name = 'PortfolioRefusal'
}

const refuseDuringRun = ({ name, dueAt }: Portfolio): void => {
  if (dueAt === null) throw new PortfolioRefusal(['portfolio_running', name])
}

const readInterval = (everyMs: number): number => {
  if (everyMs < everyBounds.leastMs || everyMs > everyBounds.mostMs) throw new PortfolioRefusal(['portfolio_every'])
  return everyMs
}

const readListed = (text: string): Document['number'] => {
  const read = readDocument(text)
  if ('refused' in read) throw new PortfolioRefusal(['portfolio_document'])
  return read.document.number
}

type ListFile = {
  /** Opens the file anew each time; it is read three times. */
  open: () => AsyncIterable<Uint8Array>
  organizationId: number
  kind: PortfolioKind
  /** How the file is to be read, where a person decided it. */
  choice?: ReadOptions
}

/** The counts of a list. Its rejected rows are no documents. */
type ReadList = { rows: number; rejected: number; rejects: Record<string, number> }

/** Reads the documents of a file as an import would, in flat memory, into a temporary table of the transaction. */
const readList = async (tx: Transaction, file: ListFile): Promise<ReadList> => {
  const { kind, choice = {}, organizationId } = file
  const request = { kind, choice, remembered: await rememberedColumns(tx, organizationId) }
  await openListed(tx)
  await using table = await readTable(file.open, request)
  const { dialect, columns } = table.layout
  const csv = await openCsv(table.open(), dialect, { batchSize: 5_000 })
  const { rows, rejected, rejects } = await readQuestions(csv.records, rowReader(columns, kind), (asking) =>
    copyListed(
      tx,
      asking.flatMap(({ record, questions }) => {
        const cell = (at: number | undefined) => (at === undefined ? '' : (record.cells[at] ?? '').trim().slice(0, 200))
        const [name, ref, consent] = [cell(nameColumn(columns)), cell(columns.ref), cell(columns.authorization)]
        return questions.map(({ question }) => ({ place: record.line, document: question, name, ref, consent }))
      }),
    ),
  )
  return { rows, rejected, rejects }
}
