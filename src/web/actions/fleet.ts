import type { FastifyRequest } from 'fastify'
import { type Erasure, eraseDocument } from '../../monitoring/erase-document.ts'
import { beginSweep } from '../../monitoring/sweep.ts'
import { documentIn } from '../../operations/lookups.ts'
import { checkRole } from '../../operations/operation.ts'
import { notFound } from '../../operations/refusal.ts'
import type { Role } from '../../store/people/operators.ts'
import { isSweepName, type SweepName } from '../../store/radars/sweeps.ts'
import { queryText } from '../address.ts'
import type { Site } from '../site/site.ts'

/** Starts a sweep now, unless one of the same name is running. */
export const beginSweepNow = ({ engine, settings }: Site, name: SweepName, by: string): Promise<bigint> =>
  beginSweep(engine, { name, by, now: engine.clock(), timezone: settings.timezone })

/** The recurring task that an address names; refused if the visitor may not run it. */
export const sweepIn = ({ params, visitor }: Pick<FastifyRequest, 'params' | 'visitor'>): SweepName => {
  const name = queryText(params, 'name') ?? ''
  if (!isSweepName(name)) throw notFound('recurring task')
  checkRole(visitor!, roleOfSweep(name))
  return name
}

/** A task that deletes data needs an administrator. */
export const roleOfSweep = (name: string): Role => (name === 'purge' ? 'admin' : 'ops')

export const erasePerson = ({ engine, home }: Site, text: string, by: string): Promise<Erasure> => {
  const { sql, boss, clock } = engine
  return eraseDocument({ sql, boss, clock, home }, documentIn(text).number, by)
}
