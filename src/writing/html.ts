/** A piece of HTML that is safe to send: every value in it was escaped, or is such a piece itself. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** The values of a template; `null`, `undefined` and `false` are nothing, so that `cond && html…` reads well. */
export type Part = Html | string | number | bigint | null | undefined | false | readonly Part[]

/** Builds HTML. Texts of people, files and the registry are escaped, wherever they stand. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => {
  let text = strings[0] as string
  for (let i = 0; i < parts.length; i++) text += render(parts[i]) + strings[i + 1]
  return new Html(text)
}

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => signs[sign] as string)

/** A boolean attribute, such as `checked`. */
export const attribute = (name: 'checked' | 'selected' | 'disabled' | 'open' | 'required', on: boolean): Part =>
  on ? new Html(` ${name}`) : null

/** JSON inside a data attribute: `data-plot="${json(…)}"`; the template escapes it as any other text. */
export const json = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each))

const render = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(render).join('')
  return escapeText(String(part))
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
