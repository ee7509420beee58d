import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { purposeFor } from '../batches/purpose.ts'
import { submitFile } from '../batches/submit.ts'
import { batchLimit } from '../domain/amount.ts'
import type { Document } from '../domain/document.ts'
import { freshSinceOf } from '../domain/fresh-since.ts'
import { portfolioKinds } from '../domain/portfolio.ts'
import { submitted, toSubmittedView } from '../views/batch-status.ts'
import { units } from './fields.ts'
import { organization, organizationOf, purposeIn, whyFields } from './files.ts'
import { defineOperation } from './operation.ts'
import { documentIn } from './person.ts'

/** The file of one document that somebody typed: it is quoted, paid for, reported and erased as any other. */
export const fileOfOne = ({ number }: Document, authorization?: string): Buffer =>
  Buffer.from(
    stringify([authorization ? { documento: number, autorizacao: authorization } : { documento: number }], {
      header: true,
    }),
  )

export const lookupOperations = {
  lookUp: defineOperation({
    name: 'lookUp',
    summary:
      'Looks up one document, as a batch of one row at line 2; an answer that is still fresh is not bought again',
    role: 'ops',
    route: 'POST /lookups',
    input: z.strictObject({
      document: z.string().min(1).max(64).describe('a CPF or CNPJ'),
      kind: z.enum(portfolioKinds).default('analysis').describe('what to look up'),
      organization,
      authorization: z.string().trim().min(1).max(500).optional().describe('the consent of the person, for scr'),
      maxSpend: units
        .optional()
        .describe('approves this many paid calls, 1 at most are needed; without it, a paid look-up needs approval'),
      ...whyFields,
      name: z.string().trim().min(1).max(80).default('look-up').describe('the name of the batch'),
    }),
    output: submitted,
    async run(context, { document, kind, organization, authorization, maxSpend, name, ...input }) {
      const { sql, settings, clock, by, queues } = context
      const taken = await submitFile(sql, await queues(), {
        bytes: oneChunk(fileOfOne(documentIn(document), authorization)),
        fileName: `${name}.csv`,
        organizationId: organizationOf(context, organization),
        kind,
        source: 'page',
        by,
        maxSpend: batchLimit(settings.budget, maxSpend),
        confirmAbove: maxSpend === undefined ? 0 : null,
        encoding: 'utf8',
        spreadsheets: false,
        purpose: purposeFor(settings.purpose, purposeIn(input)),
        freshSince: freshSinceOf(settings.forKind[kind], clock()),
        // An earlier batch of the same document may have ended without an answer.
        made: async () => {},
      })
      return toSubmittedView(sql, taken)
    },
  }),
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
