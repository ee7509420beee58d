import { readStoredFile, readUnderClaim, storeFile } from '../batches/stored-file.ts'
import { everyBounds, isPortfolioName, type PortfolioKind } from '../domain/portfolio.ts'
import { MessageError } from '../messages/message.ts'
import { dropUnneeded } from '../store/batches/files.ts'
import { besideAnother, type Database, type Sql, type Transaction } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import { compareListed, type ListDifference, takeListed } from '../store/portfolios/documents.ts'
import {
  deletePortfolio,
  findPortfolio,
  insertPortfolio,
  lockPortfolio,
  type Portfolio,
  pausePortfolio,
  resumePortfolio,
} from '../store/portfolios/portfolios.ts'
import { type ListFile, type ReadList, readList } from './read-list.ts'

type Who = { by: string; now: Date }
type NewList = ListFile & { name: string; kind: PortfolioKind; everyMs: number; purpose?: string | null }

/** What a file changes in a portfolio: documents added and removed, and rows that could not be read. */
export type Listed = ReadList & ListDifference

/** Creates a portfolio from a file; its first run is due at once. */
export const addPortfolio = (sql: Database, list: NewList, who: Who): Promise<Listed> =>
  whileClaimed(sql, async (tx) => {
    const { name, kind, everyMs, organizationId, purpose = null } = list
    if (!isPortfolioName(name)) throw new PortfolioRefusal(['portfolio_name'])
    const { leastMs, mostMs } = everyBounds
    if (everyMs < leastMs || everyMs > mostMs) throw new PortfolioRefusal(['portfolio_every'])
    const id = await insertPortfolio(tx, { organizationId, name, kind, everyMs, purpose }, who)
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

/** No run begins until the portfolio is resumed. A run that is under way continues. */
export const pauseRuns = (sql: Database, name: string, { by, now }: Who): Promise<Portfolio> =>
  sql.begin(async (tx) => {
    const portfolio = await locked(tx, name)
    if (!(await pausePortfolio(tx, portfolio.id, now))) throw new PortfolioRefusal(['portfolio_paused', portfolio.name])
    await recordAudit(tx, by, 'pause portfolio', `portfolio ${portfolio.name}`)
    return portfolio
  })

export const resumeRuns = (sql: Database, name: string, { by }: Who): Promise<Portfolio> =>
  sql.begin(async (tx) => {
    const portfolio = await locked(tx, name)
    if (!(await resumePortfolio(tx, portfolio.id))) throw new PortfolioRefusal(['portfolio_not_paused', portfolio.name])
    await recordAudit(tx, by, 'resume portfolio', `portfolio ${portfolio.name}`)
    return portfolio
  })

/** Deletes the list for good. A batch that is under way continues. */
export const removePortfolio = (sql: Database, name: string, { by, now }: Who): Promise<Portfolio> =>
  sql.begin(async (tx) => {
    const portfolio = await locked(tx, name)
    await deletePortfolio(tx, portfolio.id, now)
    await recordAudit(tx, by, 'remove portfolio', `portfolio ${portfolio.name}`)
    return portfolio
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
export class PortfolioRefusal extends MessageError {
  override readonly name = 'PortfolioRefusal'
  readonly exitCode = 1
}
