import type { FastifyRequest } from 'fastify'
import { purposeFor } from '../../batches/purpose.ts'
import { readUnderClaim } from '../../batches/read-under-claim.ts'
import { readStoredFile, storeFile } from '../../batches/stored-file.ts'
import { parseDuration } from '../../domain/duration.ts'
import { isPortfolioKind, type PortfolioKind } from '../../domain/portfolio.ts'
import {
  addPortfolio,
  type Listed,
  PortfolioRefusal,
  portfolioOrRefuse,
  syncPortfolio,
} from '../../portfolios/keep-portfolio.ts'
import { dropUnneeded } from '../../store/batches/files.ts'
import type { Portfolio } from '../../store/portfolios/portfolios.ts'
import { forecastTerms } from '../../views/portfolio.ts'
import { queryText } from '../address.ts'
import type { Site } from '../site/site.ts'
import { choiceIn, organizationOf, purposeIn, receivePart } from './upload.ts'

export const portfolioIn = ({ engine }: Site, params: unknown): Promise<Portfolio> =>
  portfolioOrRefuse(engine.sql, queryText(params, 'portfolio', 80) ?? '')

export const forecastTermsOf = ({ engine, settings }: Site) => forecastTerms(settings, engine.clock())

/** Makes a portfolio from the file of a form; the fields come before the file. */
export const receivePortfolio = (site: Site, request: FastifyRequest): Promise<{ name: string; listed: Listed }> =>
  receivePart(request, async (fields, { bytes }) => {
    const { sql, clock } = site.engine
    const name = (fields.name ?? '').trim()
    const list = {
      name,
      kind: kindIn(fields.kind),
      everyMs: everyIn(fields.every),
      organizationId: organizationOf(site, fields.organization),
      choice: choiceIn(fields),
      purpose: purposeFor(site.settings.purpose, purposeIn(fields)),
    }
    const who = { by: request.visitor?.name ?? '', now: clock() }
    const listed = await withStored(site, bytes, (open) => addPortfolio(sql, { ...list, open }, who))
    return { name, listed }
  })

/** Replaces the list of a portfolio with the file of a form, or only shows what that would change. */
export const receiveList = (
  site: Site,
  request: FastifyRequest,
  { name }: Portfolio,
  only?: 'compare',
): Promise<Listed> =>
  receivePart(request, (fields, { bytes }) => {
    const { sql, clock } = site.engine
    const who = { by: request.visitor?.name ?? '', now: clock() }
    return withStored(site, bytes, (open) => syncPortfolio(sql, { name, open, choice: choiceIn(fields), only }, who))
  })

/** The list is read several times but arrives once, so it is stored until it has been read. */
const withStored = async <T>(
  { engine: { sql } }: Site,
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

const kindIn = (text = 'analysis'): PortfolioKind => {
  if (isPortfolioKind(text)) return text
  throw new PortfolioRefusal(['portfolio_kind', JSON.stringify(text.slice(0, 40))])
}

/** A span such as `30d`; a bare number is days. */
const everyIn = (text = ''): number => {
  const span = /^\d{1,4}$/.test(text.trim()) ? `${text.trim()}d` : text.trim()
  if (!/^\d{1,8}(ms|s|m|h|d)$/.test(span)) throw new PortfolioRefusal(['portfolio_every'])
  return parseDuration(span)
}
