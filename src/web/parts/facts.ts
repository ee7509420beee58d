import { type Html, html, type Part } from '../html.ts'

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
