import { z } from 'zod'
import { priceOf, type UnitPrices } from '../domain/amount.ts'
import type { DocumentType } from '../domain/document.ts'
import type { Batch } from '../store/batches/batches.ts'
import { type AnswerRow, answer, pair, toAnswerView, toPairs } from './answer.ts'
import { type ChangeLine, change, toChangeView } from './change.ts'
import {
  bigId,
  charged,
  kind,
  masked,
  maskedName,
  moment,
  price,
  purposeFields,
  type RowOf,
  shownDocument,
  text,
  toPurposeFields,
  toView,
} from './fields.ts'
import { type AuditEntry, auditEntry } from './installation.ts'
import { type RadarLine, radar, toRadarView } from './radar.ts'
import type { RowLine } from './row.ts'

const lookup = z.object({
  lookup: bigId,
  organization: bigId,
  kind,
  state: z.string(),
  batch: bigId.describe('the batch that asked; it may be deleted'),
  purpose: purposeFields.purpose,
  asked: moment,
  finished: moment.nullable(),
  asOf: moment.nullable(),
  charged,
  remoteId: z.string().nullable(),
  remoteKey: z.string().nullable().describe('the second id of the registry'),
  seen: text.nullable().describe('the last status that the registry reported'),
  name: maskedName.nullable().describe('the name that the registry has for the document'),
  estimated: z.int().nullable().describe('how many court cases it expected when it was bought'),
})
export type PersonLookup = RowOf<typeof lookup> & AnswerRow & { answered: boolean }

const row = z.object({
  batch: bigId,
  name: masked,
  organization: bigId,
  kind,
  source: z.string(),
  by: z.string().nullable(),
  submitted: moment,
  line: z.int(),
  state: z.string(),
  purpose: purposeFields.purpose,
  authorization: masked.nullable().describe('reference or date of the consent to an SCR look-up'),
})
type PersonRow = RowOf<typeof row> &
  Pick<RowLine, 'part' | 'startAt' | 'size'> & { lookup: bigint; finished: Date | null } & Pick<
    Batch,
    'fileId' | 'layout'
  >

const snapshot = z.object({
  sweep: bigId,
  organization: bigId,
  verified: moment.nullable(),
  processes: z.int().nullable(),
})

const portfolio = z.object({
  portfolio: z.string(),
  organization: bigId,
  kind,
  name: masked.describe('the name of the person in the list'),
  ref: masked,
  purpose: purposeFields.purpose,
  authorization: masked.nullable(),
  since: moment,
  removed: moment.nullable().describe('when it left the list; deleted once the next run has reported that'),
})

const purchase = z.object({
  organization: bigId,
  kind,
  id: z.string(),
  key: z.string().nullable().describe('the second id of the registry'),
  dated: z.string().nullable(),
  status: z.string().nullable(),
  deleted: z.boolean(),
  seen: moment,
  lookup: bigId.nullable().describe('the look-up that owns it'),
  name: masked.nullable().describe('the name that the list has for the document'),
  debtorStatus: z.string().nullable().describe('whether debtor registers were searched'),
})

const usage = z.object({ organization: bigId, day: z.iso.date(), id: z.string().nullable(), because: z.string() })

/** Everything that is held about one document, as stored in the tables. */
export type PersonRecord = {
  document: string
  type: DocumentType
  lookups: PersonLookup[]
  rows: PersonRow[]
  radars: RadarLine[]
  snapshots: (RowOf<typeof snapshot> & Pick<AnswerRow, 'counts' | 'cents'>)[]
  changes: ChangeLine[]
  portfolios: RowOf<typeof portfolio>[]
  purchases: (RowOf<typeof purchase> & { listed: unknown })[]
  usage: RowOf<typeof usage>[]
  suspicious: bigint[]
  looks: AuditEntry[]
}

const { legalBasis } = purposeFields
const keptUntil = moment.nullable()

/** Everything that is held about one document: what, where it came from, when, for how long, and who saw it. */
export const personShown = z.object({
  document: masked,
  type: z.enum(['CPF', 'CNPJ']),
  lookups: z.array(
    lookup.extend({
      legalBasis,
      price: price.describe('of what was charged'),
      keptUntil: keptUntil.describe('null while it, or a batch that shows it, is open'),
      answer: answer.nullable(),
    }),
  ),
  rows: z.array(row.extend({ legalBasis, keptUntil })).describe('the lines of files that contain it'),
  radars: z.array(radar),
  snapshots: z.array(snapshot),
  changes: z.array(change),
  portfolios: z.array(portfolio.extend({ legalBasis })).describe('the portfolios that contain it'),
  purchases: z
    .array(
      purchase.extend({
        fields: z.array(pair).describe('the other fields of the list about it, by their names there'),
      }),
    )
    .describe('the purchases that the registry lists'),
  usage: z.array(usage),
  suspicious: z.array(z.int()).describe('organizations whose rejected radar list contains it'),
  looks: z.array(auditEntry).describe('who looked at it, or downloaded a file that contains it; newest first'),
})
export type PersonShown = z.output<typeof personShown>

type Shown = { prices: UnitPrices | null; retention: Retention; unmasked?: boolean }
type Retention = { batches: number; lookups: number }

export const toPersonView = (record: PersonRecord, { prices, retention, unmasked }: Shown): PersonShown => ({
  document: shownDocument(record.document, unmasked),
  type: record.type,
  lookups: record.lookups.map((each) => ({
    ...toView(lookup, each, unmasked),
    ...toPurposeFields(each.purpose),
    price: each.charged === 'yes' ? priceOf(prices, each.kind, 1) : null,
    keptUntil: endOf(each, record.rows, retention),
    answer: each.answered ? toAnswerView(each, each.kind, unmasked) : null,
  })),
  rows: record.rows.map((each) => ({
    ...toView(row, each, unmasked),
    ...toPurposeFields(each.purpose),
    keptUntil: later(each.finished, retention.batches),
  })),
  radars: record.radars.map((each) => toRadarView(each, unmasked)),
  snapshots: record.snapshots.map((each) => toView(snapshot, each)),
  changes: record.changes.map((each) => toChangeView(each, unmasked)),
  portfolios: record.portfolios.map((each) => ({
    ...toView(portfolio, each, unmasked),
    ...toPurposeFields(each.purpose),
  })),
  purchases: record.purchases.map((each) => ({
    ...toView(purchase, each, unmasked),
    fields: toPairs(each.listed, unmasked),
  })),
  usage: record.usage.map((each) => toView(usage, each)),
  suspicious: record.suspicious.map(Number),
  looks: record.looks,
})

/** The purge deletes a look-up once it is old enough and no row shows it; null while a batch is open. */
const endOf = ({ lookup: id, finished }: PersonLookup, rows: PersonRow[], retention: Retention): string | null => {
  const shown = rows.filter(({ lookup }) => lookup === id)
  const ends = [later(finished, retention.lookups), ...shown.map((row) => later(row.finished, retention.batches))]
  return ends.includes(null) ? null : ends.sort().at(-1)!
}

const later = (moment: Date | null, ms: number): string | null =>
  moment && new Date(moment.getTime() + ms).toISOString()
