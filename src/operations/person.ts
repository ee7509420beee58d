import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { submitFile } from '../batches/submit.ts'
import { type Document, readDocument } from '../domain/document.ts'
import { portfolioKinds } from '../domain/portfolio.ts'
import { eraseDocument } from '../monitoring/erase-document.ts'
import { findTraces, lookAtPerson, personTraces, searchPeople, toTracesView } from '../monitoring/read-person.ts'
import { boundsOf } from '../store/bound.ts'
import { submitted, toSubmittedView } from '../views/batch-status.ts'
import { masked, shownDocument } from '../views/fields.ts'
import { personShown, toPersonView } from '../views/person.ts'
import { organization, submissionOf, whyFields } from './files.ts'
import { defineOperation, Refusal, units } from './operation.ts'

const document = z.string().max(64).describe('a CPF or CNPJ')

/** The document that a person typed; an error never repeats it. */
export const documentIn = (text: string): Document => {
  const parsed = readDocument(text.slice(0, 64))
  if ('refused' in parsed) throw new Refusal(422, 'wrong_request', ['no_document', parsed.detail])
  return parsed.document
}

/** What was erased of a person, and what may store the person's data again. */
const erasure = z.object({
  lookups: z.int(),
  batches: z.array(z.int()).describe('batches whose reports are written again'),
  storedFiles: z.int(),
  monitoredBy: z.array(z.int()).describe('organizations whose radar list still has the person'),
  portfolios: z.array(z.string()).describe('portfolios from whose lists the person was removed'),
  files: z.object({ blanked: z.int(), deleted: z.int() }).describe('in the folders of this machine'),
})
export type ErasureShown = z.output<typeof erasure>

export const personOperations = {
  read: defineOperation('readPerson', 'analyst', 'POST /person', {
    summary: 'Everything held about one document, masked; `traces` also reads every table and file, as erasing does',
    input: z.strictObject({ document, traces: z.boolean().default(false) }),
    output: personShown.extend({ traces: personTraces.nullable() }),
    async run({ sql, home, settings, by, unmasked }, { document, traces }) {
      const { number, ...person } = documentIn(document)
      if (traces && boundsOf(sql)) throw new Refusal(403, 'not_bound', 'Traces cover every organization')
      const record = await lookAtPerson(sql, { number, ...person }, { by })
      const { budget, retention } = settings
      return {
        ...toPersonView(record, { prices: budget.unitPrice, retention, unmasked }),
        traces: traces ? toTracesView(await findTraces({ sql, home }, number), unmasked) : null,
      }
    },
  }),
  search: defineOperation('searchPeople', 'analyst', 'POST /people', {
    summary: 'Documents with a name that contains these names, by radars, portfolios and the registry',
    input: z.strictObject({ name: z.string().trim().min(3).max(60) }),
    output: z.object({ people: z.array(z.object({ name: z.string(), document: masked })) }),
    async run({ sql, by, unmasked }, { name }) {
      const found = await searchPeople(sql, name, { by, limit: 100 })
      return { people: found.map((each) => ({ name: each.name, document: shownDocument(each.document, unmasked) })) }
    },
  }),
  erase: defineOperation('erasePerson', 'admin', 'POST /purge', {
    summary: 'Erases everything about a document; the charges stay on record',
    input: z.strictObject({ document }),
    output: erasure,
    async run({ sql, home, clock, by, queues }, { document }) {
      const tools = { sql, home, clock, boss: await queues() }
      const erased = await eraseDocument(tools, documentIn(document).number, by)
      return { ...erased, batches: erased.batches.map(Number), monitoredBy: erased.monitoredBy.map(Number) }
    },
  }),
}

/** The file of one document that somebody typed: it is quoted, paid for, reported and erased as any other. */
export const fileOfOne = ({ number }: Document, authorization?: string): Buffer =>
  Buffer.from(
    stringify([authorization ? { documento: number, autorizacao: authorization } : { documento: number }], {
      header: true,
    }),
  )

export const lookupOperations = {
  lookUp: defineOperation('lookUp', 'ops', 'POST /lookups', {
    summary:
      'Looks up one document, as a batch of one row at line 2; an answer that is still fresh is not bought again',
    input: z.strictObject({
      document: z.string().min(1).max(64).describe('a CPF or CNPJ'),
      kind: z
        .enum(portfolioKinds)
        .default('analysis')
        .describe(`what to look up: ${portfolioKinds.join(', ')}`),
      organization,
      authorization: z.string().trim().min(1).max(500).optional().describe('the consent of the person, for scr'),
      maxSpend: units
        .optional()
        .describe('approves this many paid calls, 1 at most are needed; without it, a paid look-up needs approval'),
      ...whyFields,
      name: z.string().trim().min(1).max(80).default('look-up').describe('the name of the batch'),
    }),
    output: submitted,
    async run(context, { document, authorization, name, ...input }) {
      const { sql, queues } = context
      const file = { name: `${name}.csv`, bytes: Readable.from([fileOfOne(documentIn(document), authorization)]) }
      const taken = await submitFile(sql, await queues(), {
        ...submissionOf(context, { ...input, encoding: 'utf8', file }),
        confirmAbove: input.maxSpend === undefined ? 0 : null,
        // An earlier batch of the same document may have ended without an answer.
        made: async () => {},
      })
      return toSubmittedView(sql, taken)
    },
  }),
}
