import type { FastifyInstance } from 'fastify'
import { maskDocuments } from '../../domain/mask-documents.ts'
import { isLanguage, type Language, languages } from '../../messages/languages.ts'
import { type Html, html } from '../../writing/html.ts'
import { isSecure } from '../site/is-secure.ts'
import { languageCookie, type Visit } from '../visit.ts'

const year = 365 * 86_400

/** The button that shows the same page in the other language; the browser stores the choice. */
export const languageSwitch = ({ request, labels }: Visit, section = 'batches'): Html => {
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
