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

/** A few large figures in a row. */
export const figures = (
  entries: readonly { label: string; value: Part; hint?: Part; tone?: 'bad' | 'warn' | 'good' | false }[],
): Html =>
  html`<dl class="figures">${entries.map(
    ({ label, value, hint, tone }) =>
      html`<div${tone && html` class="${tone}"`}><dt>${label}</dt><dd>${value}</dd>${hint && html`<dd class="hint">${hint}</dd>`}</div>`,
  )}</dl>`

/** What so many paid look-ups come to; null where nobody said what one costs. */
export const priceText = ({ site, labels }: Visit, kind: Kind, units: number): string | null => {
  const price = priceOf(site.settings.budget.unitPrice, kind, units)
  return price && formatPrice(price, labels.language)
}

/** A number of look-ups with what they come to: `30 (R$ 57,00)`. */
export const pricedCount = (visit: Visit, kind: Kind, units: number): string => {
  const price = priceText(visit, kind, units)
  return price ? `${visit.format.count(units)} (${price})` : visit.format.count(units)
}

/** What a batch is called on the page: the name of its file. People name files after the documents in them. */
export const batchName = (
  { format }: Pick<Visit, 'format'>,
  { fileName, name }: { fileName?: string | null; name: string },
): string => format.text(fileName ?? name)

/** A lane as people call it: the organization's name where there are several, and the question. */
export const laneName = (
  { labels, site }: Pick<Visit, 'labels' | 'site'>,
  { organization, kind }: { organization: number | bigint; kind: Kind },
): string => {
  const { accounts } = site.engine
  const account = accounts.find((each) => BigInt(each.organizationId) === BigInt(organization))
  const question = labels.terms.kinds[kind]
  return accounts.length > 1 || !account ? `${account?.name ?? organization} · ${question}` : question
}

/** What a person's own file calls somebody, below the masked document. */
export const ownNamesLine = (own: Pick<OwnRow, 'name' | 'ref'> | null | undefined): Part =>
  (own?.name || own?.ref) &&
  html`<small class="own">${own.name}${own.name && own.ref && ' · '}${own.ref && html`<span class="ref">${own.ref}</span>`}</small>`
