import type { FastifyInstance } from 'fastify'
import { maskDocuments } from '../../domain/mask-documents.ts'
import { isLanguage, type Language, languages } from '../../messages/languages.ts'
import { type Html, html, type Part } from '../../writing/html.ts'
import { isSecure } from '../site/site.ts'
import { languageCookie, type Visit } from '../visit.ts'
import { notice } from './form.ts'
import { incidentBar } from './incident-bar.ts'

type PageParts = {
  title: string
  /** Which entry of the menu is the current one. */
  section?: keyof typeof helpOf
  body: Part
  /** Draws plots. */
  plots?: boolean
  /** Has a stream of its own, which also updates the incident bar. */
  streams?: boolean
  /** Shows the result of the last action itself, for as long as it is true. */
  showsNotice?: boolean
}

/** A complete page around its content. If the database does not answer, the page has no incident bar. */
export const layout = async (visit: Visit, parts: PageParts): Promise<Html> => {
  const bar = visit.visitor.name === '' ? null : await incidentBar(visit).catch(() => html``)
  return frame(visit, parts, bar)
}

const frame = (
  visit: Visit,
  { title, section, body, plots, streams, showsNotice }: PageParts,
  bar: Html | null,
): Html => html`<!doctype html>
<html lang="${visit.labels.language}" data-clock="${visit.clock().getTime()}">
<head>
<meta charset="utf-8">
<title>${title} · Vigia</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="htmx-config" content='{"includeIndicatorCSS":false,"extensions":"sse","morphIgnore":["data-htmx-powered","open"]}'>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${plots && html`<link rel="stylesheet" href="/assets/uPlot.min.css">`}
${sheets.map((sheet) => html`<link rel="stylesheet" href="/assets/${sheet}.css">`)}
<script src="/assets/htmx.min.js" defer></script>
<script src="/assets/hx-sse.min.js" defer></script>
<script src="/assets/page.js" type="module"></script>
${plots && html`<script src="/assets/uPlot.iife.min.js" defer></script><script src="/assets/plots.js" type="module"></script>`}
</head>
<body>
<a class="skip" href="#content">${visit.labels.shell.skip}</a>
${visit.settings.registry === null && html`<details class="sandbox banner"><summary><strong>${visit.labels.shell.sandbox}</strong></summary><span>${visit.labels.shell.sandboxHint}</span></details>`}
${bar && header(visit, section)}
${bar && html`<aside id="trouble" aria-label="${visit.labels.incident.label}"${!streams && html` hx-sse:connect="/trouble/live" hx-swap="innerMorph"`}>${bar}</aside>`}
<main id="content" tabindex="-1">
${!showsNotice && notice(visit)}
${body}
</main>
${!bar && html`<footer class="bottom">${languageSwitch(visit, section)}</footer>`}
</body>
</html>`

const header = (visit: Visit, section: PageParts['section']): Html => {
  const { labels, visitor } = visit
  return html`
<header class="top">
  <a class="brand" href="/batches"><img src="/assets/icon.svg" alt="" width="28" height="28"><span>Vigia</span></a>
  <nav aria-label="${labels.shell.menu}">
    <ul>${(Object.keys(helpOf) as (keyof typeof helpOf)[]).map(
      (name) =>
        html`<li><a href="/${name}"${name === section && html` aria-current="page"`}>${labels.shell[name]}</a></li>`,
    )}</ul>
  </nav>
  <form class="find" method="post" action="/person" role="search" aria-label="${labels.person.find}">
    <input type="hidden" name="csrf" value="${visitor.csrf}">
    <input name="document" required maxlength="60" autocomplete="off" spellcheck="false" aria-label="${labels.person.find}" placeholder="${labels.person.placeholder}">
    <button class="quiet">${labels.shell.search}</button>
  </form>
  <form class="who" method="post" action="/sign-out">
    <input type="hidden" name="csrf" value="${visitor.csrf}">
    <span><span class="visually-hidden">${labels.shell.signedInAs}</span> <strong>${visitor.name}</strong>
      <small>${labels.terms.roles[visitor.role]}</small></span>
    <button class="quiet">${labels.shell.signOut}</button>
  </form>
  <a class="button quiet" title="${labels.help.title}" href="/help/${helpOf[section ?? 'batches']}"><span aria-hidden="true">?</span><span class="visually-hidden">${labels.help.title}</span></a>
  ${languageSwitch(visit, section)}
</header>`
}

/** In the order of the cascade. */
const sheets = ['base', 'frame', 'incident', 'controls', 'parts', 'plots', 'tables', 'desk'] as const

/** The entries of the menu, and which page of the help is about each. */
const helpOf = {
  batches: 'ops',
  parked: 'ops',
  radars: 'analyst',
  portfolios: 'analyst',
  changes: 'analyst',
  system: 'on-call',
} as const

const year = 365 * 86_400

/** The button that shows the same page in the other language; the browser stores the choice. */
const languageSwitch = ({ request, labels }: Visit, section = 'batches'): Html => {
  const other: Language = labels.language === 'en' ? 'pt-BR' : 'en'
  const back = request.method === 'GET' ? addressToKeep(request.url) : null
  return html`<form class="language" method="post" action="/language">
    <input type="hidden" name="back" value="${back ?? `/${section}`}"><input type="hidden" name="language" value="${other}">
    <button class="quiet" lang="${other}"><span aria-hidden="true">${other.slice(0, 2).toUpperCase()}</span><span class="visually-hidden">${languages[other]}</span></button>
  </form>`
}

/** Only stores the choice, so it needs no sign-in; the guard has checked the origin of the form. */
export const addLanguageSwitch = (app: FastifyInstance): void => {
  app.post('/language', { config: { role: 'everyone' } }, async (request, reply) => {
    const { language, back = '' } = (request.body ?? {}) as Record<string, string>
    if (isLanguage(language)) {
      const secure = isSecure(request)
      reply.setCookie(languageCookie, language, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: year })
    }
    return reply.redirect(ownAddress(back), 303)
  })
}

const here = 'http://here.invalid'

/**
 * An address of this page, whatever the form sent. It is parsed as the browser would parse it: without its dots,
 * `/.//elsewhere.example` is the address of another host.
 */
const ownAddress = (back: string): string => {
  const url = URL.parse(back, here)
  const path = url?.origin === here && back.startsWith('/') ? `${url.pathname}${url.search}` : ''
  return path && URL.parse(path, here)?.origin === here ? path : '/batches'
}

/** Drops an old notice from the address. An address that contains a document is not repeated at all. */
const addressToKeep = (address: string): string | null => {
  const url = URL.parse(address, here)
  if (!url || maskDocuments(address) !== address) return null
  url.searchParams.delete('notice')
  return `${url.pathname}${url.search}`
}
