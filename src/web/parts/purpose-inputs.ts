import { legalBases, purposeParts } from '../../domain/purpose.ts'
import { attribute, type Html, html } from '../../writing/html.ts'
import type { Visit } from '../visit.ts'
import { select } from './form.ts'

/** The legal basis and the text of a purpose, filled with the known one. `required`: one of both must be given. */
export const purposeInputs = ({ labels }: Visit, known: string | null, required = false): Html => {
  const { purposes, terms } = labels
  const { legalBasis, rest } = purposeParts(known ?? '')
  const bases = legalBases.map((value) => ({ value, label: terms.legalBases[value] }))
  return html`${select('legalBasis', purposes.legalBasis, [{ value: '', label: purposes.none }, ...bases], legalBasis ?? '')}
    <label class="field"><span>${purposes.purpose}</span><input name="purpose" value="${rest}" maxlength="170" placeholder="${purposes.hint}"${attribute('required', required && !legalBasis)} autocomplete="off"></label>`
}
