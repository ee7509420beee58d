import { type Html, html } from '../html.ts'
import type { Visit } from '../visit.ts'

/**
 * The time until a moment, counted down by the page itself (public/countdown.js); without a script, the moment.
 * What the script wrote in it stays when the page is painted anew.
 */
export const countdown = ({ words, format }: Visit, until: Date): Html =>
  html`<time datetime="${until.toISOString()}" data-in="${words.trouble.inSpan('{}')}" data-now="${words.trouble.now}" hx-morph-skip-children>${format.instant(until)}</time>`
