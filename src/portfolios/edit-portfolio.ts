import { type Document, readDocument } from '../domain/document.ts'
import { everyBounds, type PortfolioKind } from '../domain/portfolio.ts'
import { readPurpose } from '../domain/purpose.ts'
import type { Database, Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import { addDocuments, countDocuments, removeDocuments } from '../store/portfolios/documents.ts'
import {
  changeInterval,
  changeKind,
  changePurpose,
  lockPortfolio,
  makeDue,
  type Portfolio,
} from '../store/portfolios/portfolios.ts'
import { PortfolioRefusal, portfolioOrRefuse } from './keep-portfolio.ts'

type Who = { by: string; now: Date }

/** What is edited; documents as people write them. */
export type PortfolioEdit = {
  kind?: PortfolioKind
  everyMs?: number
  purpose?: string
  add?: string[]
  drop?: string[]
}

/** The next run is due now. It buys within the same limits and approvals as any other. */
export const runNow = (sql: Database, name: string, { by, now }: Who): Promise<Portfolio> =>
  sql.begin(async (tx) => {
    const portfolio = await locked(tx, name)
    if (portfolio.pausedAt) throw new PortfolioRefusal(['portfolio_paused', portfolio.name])
    refuseDuringRun(portfolio)
    await makeDue(tx, portfolio.id, now)
    await recordAudit(tx, by, 'run portfolio', `portfolio ${portfolio.name}`)
    return portfolio
  })

/** Changes interval, kind and list. After a change of its kind the next run is a baseline. */
export const editPortfolio = (sql: Database, name: string, edit: PortfolioEdit, { by, now }: Who): Promise<Portfolio> =>
  sql.begin(async (tx) => {
    const portfolio = await locked(tx, name)
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
    const detail = {
      ...(everyMs !== undefined && { everyMs }),
      ...(kind && { kind }),
      ...(purpose && { purpose }),
      added,
      removed,
    }
    await recordAudit(tx, by, 'edit portfolio', `portfolio ${portfolio.name}`, detail)
    return portfolio
  })

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

const locked = async (tx: Sql, name: string): Promise<Portfolio> =>
  (await lockPortfolio(tx, (await portfolioOrRefuse(tx, name)).id))!
