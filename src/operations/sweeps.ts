import { z } from 'zod'
import { beginSweep } from '../monitoring/sweep.ts'
import type { Role } from '../store/people/operators.ts'
import { isSweepName, listSweeps, type SweepName, sweepNames } from '../store/radars/sweeps.ts'
import { limits } from '../views/fields.ts'
import { readUnverified, sweepQuote, sweepShown, toSweepsView, unverifiedShown } from '../views/sweep.ts'
import { type Context, checkRole, defineOperation, id, limitOf, notFound } from './operation.ts'

const name = z.string().describe(sweepNames.join(', '))

export const sweepOperations = {
  list: defineOperation('listSweeps', 'analyst', 'GET /sweeps', {
    summary: 'Runs of the recurring tasks, newest first, with their coverage',
    input: z.object({
      limit: limitOf(limits.sweeps),
      name: z
        .enum(sweepNames)
        .optional()
        .describe(`only this sweep: ${sweepNames.join(', ')}`),
    }),
    output: z.object({ sweeps: z.array(sweepShown) }),
    async run({ sql, settings }, filter) {
      return { sweeps: await toSweepsView(sql, await listSweeps(sql, filter), settings.budget.unitPrice) }
    },
  }),
  unverified: defineOperation('listUnverified', 'analyst', 'GET /sweeps/{sweep}/unverified', {
    summary: 'The documents that a sweep could not verify, or has not verified yet',
    input: z.object({ sweep: id }),
    output: unverifiedShown,
    run: ({ sql }, { sweep }) => readUnverified(sql, sweep),
  }),
  quote: defineOperation('quoteSweep', 'ops', 'GET /sweeps/{name}', {
    summary: 'How many analyses a recurring task would buy now, at most; it runs nothing',
    input: z.object({ name }),
    output: sweepQuote,
    run: (context, { name }) => context.quoteSweep(sweepFor(context, name)),
  }),
  run: defineOperation('runSweep', 'ops', 'POST /sweeps/{name}', {
    summary: 'Runs a recurring task now; purge needs the role admin',
    input: z.object({ name }),
    output: z.object({ sweep: z.int(), name: z.string() }),
    async run(context, { name: given }) {
      const { sql, by, clock, settings, queues } = context
      const name = sweepFor(context, given)
      const { timezone } = settings
      const sweep = await beginSweep({ sql, boss: await queues() }, { name, by, now: clock(), timezone })
      return { sweep: Number(sweep), name }
    },
  }),
}

/** A recurring task that the caller may run. */
export const sweepFor = ({ by, role }: Pick<Context, 'by' | 'role'>, name: string): SweepName => {
  if (!isSweepName(name)) throw notFound('recurring task')
  checkRole({ name: by, role }, roleOfSweep(name))
  return name
}

/** A task that deletes data needs an administrator. */
export const roleOfSweep = (name: string): Role => (name === 'purge' ? 'admin' : 'ops')
