import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../operations/operation.ts'
import { recordAudit } from '../../store/people/audit.ts'
import { findOperatorByToken, hashSecret } from '../../store/people/operators.ts'
import { type Html, html } from '../../writing/html.ts'
import { checkForm } from '../access/guard.ts'
import { closeSession, openSession } from '../access/sessions.ts'
import { queryText } from '../address.ts'
import { layout } from '../parts/layout.ts'
import type { Site, SiteFor } from '../site/site.ts'
import { sendHtml, type Visit, visitOf } from '../visit.ts'

/** Sign-in with a token or with the link in the terminal, and sign-out. Attempts per minute and address are limited. */
export const addSignIn = async (app: FastifyInstance, siteFor: SiteFor): Promise<void> => {
  await app.register(rateLimit, { global: false })
  app.get('/sign-in', { config: { role: 'everyone' } }, async (request, reply) =>
    sendHtml(reply, await signInPage(visitOf(siteFor, request, reply))),
  )
  const slow = { rateLimit: { max: 10, timeWindow: '1 minute' } }
  app.post('/sign-in', { config: { role: 'everyone', ...slow } }, async (request, reply) => {
    const site = siteFor(request)
    const { token, link } = (request.body ?? {}) as Record<string, string>
    const operator = link ? takeLink(site, link) : await operatorOf(site, token ?? '')
    await openSession(site, request, reply, operator)
    await recordAudit(site.engine.sql, operator ?? 'local', 'sign in', 'page')
    return reply.redirect('/batches', 303)
  })
  app.post('/sign-out', { config: { role: 'analyst' } }, async (request, reply) => {
    checkForm(request, (request.body as Record<string, string> | undefined)?.csrf)
    await closeSession(siteFor(request), request, reply)
    return reply.redirect('/sign-in?out=1', 303)
  })
}

const takeLink = ({ link, engine }: Site, secret: string): null => {
  if (link?.use(secret, engine.clock())) return null
  throw new Refusal(401, 'used_link', 'The sign-in link was already used, or is more than ten minutes old')
}

const operatorOf = async ({ engine }: Site, token: string): Promise<string> => {
  const operator = await findOperatorByToken(engine.sql, hashSecret(token.trim()), engine.clock())
  if (operator) return operator.name
  throw new Refusal(401, 'wrong_token', 'There is no operator with this token, or it has expired')
}

/** A sign-in link works only after a click, because chat programs and mail scanners open links by themselves. */
export const signInPage = (visit: Visit, problem?: string): Promise<Html> => {
  const { labels, request } = visit
  const link = queryText(request.query, 'link')
  const out = queryText(request.query, 'out')
  const body = html`<div class="sign-in"><img src="/assets/icon.svg" alt="" width="72" height="72">
    <h1>${link ? labels.signIn.linkTitle : 'Vigia'}</h1><p class="lead">${labels.shell.tagline}</p>
    ${out && html`<p class="notice" role="status">${labels.signIn.signedOut}</p>`}
    ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
    ${link && !problem ? linkForm(visit, link) : tokenForm(visit)}</div>`
  return layout({ ...visit, visitor: { ...visit.visitor, name: '' } }, { title: labels.signIn.title, body })
}

const linkForm = ({ labels }: Visit, link: string): Html => html`<form method="post" action="/sign-in">
  <p>${labels.signIn.linkText}</p><input type="hidden" name="link" value="${link}">
  <button class="primary">${labels.signIn.linkSubmit}</button></form>`

const tokenForm = ({ labels }: Visit): Html => html`<form method="post" action="/sign-in">
  <label class="field"><span>${labels.signIn.token}</span><input type="password" name="token" required autocomplete="current-password" spellcheck="false" aria-describedby="token-hint"></label>
  <small id="token-hint">${labels.signIn.tokenHint}</small>
  <button class="primary">${labels.signIn.submit}</button></form>
  <p class="quiet-text">${labels.signIn.noToken} <code>vigia operator add NAME --role ops</code></p>`
