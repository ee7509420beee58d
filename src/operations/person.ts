import { z } from 'zod'
import { type Document, readDocument } from '../domain/document.ts'
import { eraseDocument } from '../monitoring/erase-document.ts'
import { findTraces, lookAtPerson, personTraces, searchPeople, toTracesView } from '../monitoring/read-person.ts'
import { boundsOf } from '../store/bound.ts'
import { masked, shownDocument } from '../views/fields.ts'
import { personShown, toPersonView } from '../views/person.ts'
import { defineOperation } from './operation.ts'
import { Refusal } from './refusal.ts'

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
  read: defineOperation({
    name: 'readPerson',
    summary: 'Everything held about one document, masked; `traces` also reads every table and file, as erasing does',
    role: 'analyst',
    route: 'POST /person',
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
  search: defineOperation({
    name: 'searchPeople',
    summary: 'Documents with a name that contains these names, by radars, portfolios and the registry',
    role: 'analyst',
    route: 'POST /people',
    input: z.strictObject({ name: z.string().trim().min(3).max(60) }),
    output: z.object({ people: z.array(z.object({ name: z.string(), document: masked })) }),
    async run({ sql, by, unmasked }, { name }) {
      const found = await searchPeople(sql, name, { by, limit: 100 })
      return { people: found.map((each) => ({ name: each.name, document: shownDocument(each.document, unmasked) })) }
    },
  }),
  erase: defineOperation({
    name: 'erasePerson',
    summary: 'Erases everything about a document; the charges stay on record',
    role: 'admin',
    route: 'POST /purge',
    input: z.strictObject({ document }),
    output: erasure,
    async run({ sql, home, clock, by, queues }, { document }) {
      const tools = { sql, home, clock, boss: await queues() }
      const erased = await eraseDocument(tools, documentIn(document).number, by)
      return { ...erased, batches: erased.batches.map(Number), monitoredBy: erased.monitoredBy.map(Number) }
    },
  }),
}
