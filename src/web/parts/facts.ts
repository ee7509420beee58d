import { formatPrice, priceOf } from '../../domain/amount.ts'
import type { Kind } from '../../domain/kind.ts'
import type { OwnRow } from '../../views/own-row.ts'
import { type Html, html, type Part } from '../../writing/html.ts'
import type { Visit } from '../visit.ts'

/** Names and values, such as the facts of a batch; those without a value are left out. */
export const facts = (entries: readonly (readonly [string, Part])[]): Html =>
  html`<dl class="facts">${entries
    .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** A figure with its name; one that is false is left out. */
type Figure = readonly [label: string, value: Part, hint?: Part, tone?: 'bad' | 'warn' | 'good' | false] | false

/** A few large figures in a row. */
export const figures = (entries: readonly Figure[]): Html =>
  html`<dl class="figures">${entries
    .filter((entry) => entry !== false)
    .map(
      ([label, value, hint, tone]) =>
        html`<div${tone && html` class="${tone}"`}><dt>${label}</dt><dd>${value}</dd>${hint && html`<dd class="hint">${hint}</dd>`}</div>`,
    )}</dl>`

/** The price of a number of paid look-ups; null if no unit price is set. */
export const priceText = ({ labels, settings }: Visit, kind: Kind, units: number): string | null => {
  const price = priceOf(settings.budget.unitPrice, kind, units)
  return price && formatPrice(price, labels.language)
}

/** A number of look-ups with their price: `30 (R$ 57,00)`. */
export const pricedCount = (visit: Visit, kind: Kind, units: number): string => {
  const price = priceText(visit, kind, units)
  return price ? `${visit.format.count(units)} (${price})` : visit.format.count(units)
}

/** The name of a batch on the page: that of its file, with documents masked, because file names may contain them. */
export const batchName = (
  { format }: Pick<Visit, 'format'>,
  { fileName, name }: { fileName?: string | null; name: string },
): string => format.text(fileName ?? name)

/** The name of a lane: the organization if there are several, and the kind of look-up. */
export const laneName = (
  { labels, accounts }: Pick<Visit, 'labels' | 'accounts'>,
  { organization, kind }: { organization: number | bigint; kind: Kind },
): string => {
  const account = accounts.find((each) => BigInt(each.organizationId) === BigInt(organization))
  const question = labels.terms.kinds[kind]
  return accounts.length > 1 || !account ? `${account?.name ?? organization} · ${question}` : question
}

/** The name and reference from the person's own file, below the masked document. */
export const ownNamesLine = (own: Pick<OwnRow, 'name' | 'ref'> | null | undefined): Part =>
  (own?.name || own?.ref) &&
  html`<small class="own">${own.name}${own.name && own.ref && ' · '}${own.ref && html`<span class="ref">${own.ref}</span>`}</small>`
