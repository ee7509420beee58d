import { legalBases, purposeParts } from '../../domain/purpose.ts'
import type { Labels } from '../../messages/labels.ts'
import { attribute, type Html, html, type Part } from '../../writing/html.ts'
import type { Visit } from '../visit.ts'

/** A form that is a single button. */
export const buttonForm = (
  visit: Visit,
  {
    action,
    label,
    look,
    ask,
    fields = {},
  }: {
    action: string
    label: string
    look?: 'primary' | 'danger' | 'quiet'
    /** The question that is asked before the action. */
    ask?: string
    fields?: Record<string, string>
  },
): Html => html`<form method="post" action="${action}"${ask && html` data-ask="${ask}"`}>
  ${hiddenCsrf(visit)}
  ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
  <button${look && html` class="${look}"`}>${label}</button>
</form>`

export const select = (
  name: string,
  label: string,
  options: readonly { value: string; label: string }[],
  chosen: string,
): Html =>
  html`<label class="field"><span>${label}</span><select name="${name}">${options.map(
    ({ value, label: text }) =>
      html`<option value="${value}"${attribute('selected', value === chosen)}>${text}</option>`,
  )}</select></label>`

/** Each value with its name, or itself where it has none; `none` names the choice of none, or of all. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  names: Readonly<Partial<Record<Value, string>>>,
  none?: string,
) => [
  ...(none === undefined ? [] : [{ value: '', label: none }]),
  ...values.map((value) => ({ value, label: names[value] ?? value })),
]

export const hiddenCsrf = ({ visitor }: Visit): Part => html`<input type="hidden" name="csrf" value="${visitor.csrf}">`

export type NoticeName = keyof Labels['notices']

/** The result of the last action, by the notice in the address; an unknown notice shows nothing. */
export const noticeNamed = ({ request, labels }: Visit): NoticeName | null => {
  const name = (request.query as Record<string, string> | undefined)?.notice
  return name && Object.hasOwn(labels.notices, name) ? (name as NoticeName) : null
}

export const notice = (visit: Visit): Html | null => {
  const name = noticeNamed(visit)
  return name && html`<p class="notice" role="status">${visit.labels.notices[name]}</p>`
}

/** The organization that a form is for, where there are several; `all` names the choice of every one. */
export const organizationSelect = ({ accounts }: Visit, label: string, all?: string): Part => {
  const options = accounts.map(({ organizationId, name }) => ({
    value: String(organizationId),
    label: name ?? String(organizationId),
  }))
  const offered = all === undefined ? options : [{ value: '', label: all }, ...options]
  return options.length > 1 && select('organization', label, offered, offered[0]!.value)
}

/** The legal basis and the text of a purpose, filled with the one that is kept, or with the usual one. */
export const purposeInputs = ({ labels, settings }: Visit, kept?: string | null): Html => {
  const { purposes, terms } = labels
  const usual = settings.purpose
  const { legalBasis, rest } = purposeParts((kept === undefined ? usual.default : kept) ?? '')
  const required = kept === undefined && usual.required
  return html`${select('legalBasis', purposes.legalBasis, optionsOf(legalBases, terms.legalBases, purposes.none), legalBasis ?? '')}
    <label class="field"><span>${purposes.purpose}</span><input name="purpose" value="${rest}" maxlength="170" placeholder="${purposes.hint}"${attribute('required', required && !legalBasis)} autocomplete="off"></label>`
}
