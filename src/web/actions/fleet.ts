import { isKind } from '../../domain/kind.ts'
import { type Erasure, eraseDocument } from '../../monitoring/erase-document.ts'
import { beginSweep } from '../../monitoring/sweep.ts'
import { isSweepName, type SweepName } from '../../store/radars/sweeps.ts'
import { idIn, queryText } from '../address.ts'
import { notFound } from '../refusals.ts'
import type { Site } from '../site.ts'
import { documentIn } from './person.ts'

/** Any lane of an organization that we serve. */
export const laneIn = ({ engine }: Site, organization: unknown, kind: unknown) => {
  const organizationId = Number(idIn({ organization }, 'organization'))
  if (typeof kind !== 'string' || !isKind(kind)) throw notFound('lane')
  if (!engine.accounts.some((account) => account.organizationId === organizationId)) throw notFound('lane')
  return { organizationId, kind }
}

/** Begins a sweep now; one of the same name that runs is not doubled. */
export const runSweep = ({ engine, settings }: Site, name: SweepName, by: string): Promise<bigint> =>
  beginSweep(engine, { name, by, now: engine.clock(), timezone: settings.timezone })

export const sweepIn = (params: unknown): SweepName => {
  const name = queryText(params, 'name') ?? ''
  if (!isSweepName(name)) throw notFound('recurring task')
  return name
}

export const erasePerson = ({ engine, home }: Site, text: string, by: string): Promise<Erasure> => {
  const { sql, boss, clock } = engine
  return eraseDocument({ sql, boss, clock, home }, documentIn(text).number, by)
}
