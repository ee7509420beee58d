import { z } from 'zod'
import { priceOf, type UnitPrices } from '../domain/amount.ts'
import { maskName } from '../domain/mask-documents.ts'
import { answer, pair, toAnswerView, toPairs } from './answer.ts'
import { change, toChangeView } from './change.ts'
import {
  charged,
  iso,
  kind,
  masked,
  moment,
  price,
  purposeFields,
  shownDocument,
  shownText,
  toPurposeFields,
} from './fields.ts'
import { auditEntry } from './installation.ts'
import type { PersonLookup, PersonRecord } from './person-record.ts'
import { radar, toRadarView } from './radar.ts'

/** Everything that is held about one document: what, where it came from, when, for how long, and who saw it. */
export const personShown = z.object({
  document: masked,
  type: z.enum(['CPF', 'CNPJ']),
  lookups: z.array(
    z.object({
      lookup: z.int(),
      organization: z.int(),
      kind,
      state: z.string(),
      batch: z.int().describe('the batch that asked; it may be deleted'),
      ...purposeFields,
      asked: moment,
      finished: moment.nullable(),
      asOf: moment.nullable(),
      charged,
      price: price.describe('of what was charged'),
      remoteId: z.string().nullable(),
      remoteKey: z.string().nullable().describe('the second id of the registry'),
      seen: z.string().nullable().describe('the last status that the registry reported'),
      name: masked.nullable().describe('the name that the registry has for the document'),
      estimated: z.int().nullable().describe('how many court cases it expected when it was bought'),
      keptUntil: moment.nullable().describe('null while it, or a batch that shows it, is open'),
      answer: answer.nullable(),
    }),
  ),
  rows: z
    .array(
      z.object({
        batch: z.int(),
        name: masked,
        organization: z.int(),
        kind,
        source: z.string(),
        by: z.string().nullable(),
        submitted: moment,
        line: z.int(),
        state: z.string(),
        ...purposeFields,
        authorization: masked.nullable().describe('reference or date of the consent to an SCR look-up'),
        keptUntil: moment.nullable(),
      }),
    )
    .describe('the lines of files that contain it'),
  radars: z.array(radar),
  snapshots: z.array(
    z.object({
      sweep: z.int(),
      organization: z.int(),
      verified: moment.nullable(),
      processes: z.int().nullable(),
    }),
  ),
  changes: z.array(change),
  portfolios: z
    .array(
      z.object({
        portfolio: z.string(),
        organization: z.int(),
        kind,
        name: masked.describe('the name of the person in the list'),
        ref: masked,
        ...purposeFields,
        authorization: masked.nullable(),
        since: moment,
        removed: moment.nullable().describe('when it left the list; deleted once the next run has reported that'),
      }),
    )
    .describe('the portfolios that contain it'),
  purchases: z
    .array(
      z.object({
        organization: z.int(),
        kind,
        id: z.string(),
        key: z.string().nullable().describe('the second id of the registry'),
        dated: z.string().nullable(),
        status: z.string().nullable(),
        deleted: z.boolean(),
        seen: moment,
        lookup: z.int().nullable().describe('the look-up that owns it'),
        name: masked.nullable().describe('the name that the list has for the document'),
        debtorStatus: z.string().nullable().describe('whether debtor registers were searched'),
        fields: z.array(pair).describe('the other fields of the list about it, by their names there'),
      }),
    )
    .describe('the purchases that the registry lists'),
  usage: z.array(
    z.object({ organization: z.int(), day: z.iso.date(), id: z.string().nullable(), because: z.string() }),
  ),
  suspicious: z.array(z.int()).describe('organizations whose rejected radar list contains it'),
  looks: z.array(auditEntry).describe('who looked at it, or downloaded a file that contains it; newest first'),
})
export type PersonShown = z.output<typeof personShown>

export const toPersonView = (
  record: PersonRecord,
  {
    prices,
    retention,
    unmasked,
  }: { prices: UnitPrices | null; retention: { batches: number; lookups: number }; unmasked?: boolean },
): PersonShown => ({
  document: shownDocument(record.document, unmasked),
  type: record.type,
  lookups: record.lookups.map((each) => ({
    lookup: Number(each.id),
    organization: Number(each.organizationId),
    kind: each.kind,
    state: each.state,
    batch: Number(each.batchId),
    ...toPurposeFields(each.purpose),
    asked: iso(each.askedAt),
    finished: iso(each.finishedAt),
    asOf: iso(each.asOf),
    charged: each.charged,
    price: each.charged === 'yes' ? priceOf(prices, each.kind, 1) : null,
    remoteId: each.remoteId,
    remoteKey: each.remoteKey,
    seen: shownText(each.seen, unmasked),
    name: each.name && (unmasked ? each.name : maskName(shownText(each.name))),
    estimated: each.estimated,
    keptUntil: keptUntil(each, record.rows, retention),
    answer: each.answered ? toAnswerView(each, each.kind, unmasked) : null,
  })),
  rows: record.rows.map((each) => ({
    batch: Number(each.batchId),
    name: shownText(each.name, unmasked),
    organization: Number(each.organizationId),
    kind: each.kind,
    source: each.source,
    by: each.by,
    submitted: iso(each.submittedAt),
    line: each.line,
    state: each.outcome,
    ...toPurposeFields(each.purpose),
    authorization: shownText(each.authorization ?? null, unmasked),
    keptUntil: later(each.finishedAt, retention.batches),
  })),
  radars: record.radars.map((each) => toRadarView(each, unmasked)),
  snapshots: record.snapshots.map((each) => ({
    sweep: Number(each.sweepId),
    organization: Number(each.organizationId),
    verified: iso(each.verifiedAt),
    processes: each.processes,
  })),
  changes: record.changes.map((each) => toChangeView(each, unmasked)),
  portfolios: record.portfolios.map((each) => ({
    portfolio: each.portfolio,
    organization: Number(each.organizationId),
    kind: each.kind,
    name: shownText(each.name, unmasked),
    ref: shownText(each.ref, unmasked),
    ...toPurposeFields(each.purpose),
    authorization: shownText(each.authorization || null, unmasked),
    since: iso(each.addedAt),
    removed: iso(each.removedAt),
  })),
  purchases: record.purchases.map((each) => ({
    organization: Number(each.organizationId),
    kind: each.kind,
    id: each.remoteId,
    key: each.remoteKey,
    dated: each.dated,
    status: each.status,
    deleted: each.deleted,
    seen: iso(each.seenAt),
    lookup: each.lookupId === null ? null : Number(each.lookupId),
    name: shownText(each.name, unmasked),
    debtorStatus: each.debtorStatus,
    fields: toPairs(each.listed, unmasked),
  })),
  usage: record.usage.map(({ organizationId, ...each }) => ({ organization: Number(organizationId), ...each })),
  suspicious: record.suspicious.map(Number),
  looks: record.looks,
})

/** The purge deletes a look-up once it is old enough and no row shows it; null while a batch is open. */
const keptUntil = (
  { id, finishedAt }: PersonLookup,
  rows: PersonRecord['rows'],
  retention: { batches: number; lookups: number },
): string | null => {
  const shown = rows.filter(({ lookupId }) => lookupId === id)
  const ends = [later(finishedAt, retention.lookups), ...shown.map((row) => later(row.finishedAt, retention.batches))]
  return ends.includes(null) ? null : ends.sort().at(-1)!
}

const later = (moment: Date | null, ms: number): string | null =>
  moment && new Date(moment.getTime() + ms).toISOString()
