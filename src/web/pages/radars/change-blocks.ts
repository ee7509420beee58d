import type { FindOwnNames } from '../../../batches/own-rows.ts'
import { term } from '../../../messages/term.ts'
import type { ChangeLine } from '../../../views/change.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { ownNamesLine } from '../../parts/facts.ts'
import { sealAddress } from '../../sealed-address.ts'
import type { Visit } from '../../visit.ts'
import { changeTable } from './change-table.ts'

/** Whether a document links to its radar or to the person, and its names in files. */
type Leads = { secret: Buffer; to: 'radars' | 'person'; ownNames?: FindOwnNames }

/**
 * Changes as one block per document, the worst first, with its figures inside. `form`: the form to which the selected
 * changes belong.
 */
export const changeBlocks = (visit: Visit, changes: ChangeLine[], leads: Leads, form?: string): Html => {
  const documents = Map.groupBy(changes, ({ organizationId, document }) => `${organizationId} ${document}`)
  return html`<div class="changed">${[...documents.values()].map((each) => block(visit, each, leads, form))}</div>`
}

const block = (visit: Visit, changes: ChangeLine[], leads: Leads, form?: string): Html => {
  const { labels, format } = visit
  const [worst] = changes as [ChangeLine]
  const [first, rest] = [changes.slice(0, unfolded), changes.slice(unfolded)]
  const open = changes.filter(({ acknowledgedAt }) => !acknowledgedAt).map(({ id }) => id)
  return html`<article><div class="changed-head">${form && open.length > 0 && selectBox(visit, worst, open, form)}
    <h3><a href="${addressOf(worst, leads)}">${nameOf(visit, worst)}</a></h3>${worst.name && html`<span class="document">${format.document(worst.document)}</span>`}
    <span class="badge verdict verdict-${worst.verdict}">${term(labels.terms.verdicts, worst.verdict)}</span>${ownLine(worst, leads)}</div>
    ${changeTable(visit, first, true)}
    ${rest.length > 0 && html`<details><summary>${labels.changes.moreFigures(format.count(rest.length))}</summary>${changeTable(visit, rest, true)}</details>`}</article>`
}

/** Figures of a document that are shown before the others fold away. */
const unfolded = 3

const nameOf = ({ format }: Visit, { name, document }: ChangeLine): string =>
  name ? format.text(name) : format.document(document)

const selectBox = (visit: Visit, change: ChangeLine, ids: bigint[], form: string): Html =>
  html`<input type="checkbox" form="${form}" name="changes-${change.id}" value="${ids.join(',')}" aria-label="${visit.labels.changes.select(nameOf(visit, change))}">`

/** A document has one name on the page: the registry's in full, else that of the file, masked as on every page. */
const ownLine = (change: ChangeLine, { ownNames }: Leads): Part => {
  const own = ownNames?.(change)
  return ownNamesLine(own && change.name ? { name: null, ref: own.ref } : own)
}

/** The page of a person is the same for every organization. */
const addressOf = ({ organizationId, document }: ChangeLine, { secret, to }: Leads): string =>
  `/${to}/${sealAddress(secret, { organizationId: to === 'person' ? 0n : organizationId, document })}`
