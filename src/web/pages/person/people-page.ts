import type { FastifyInstance } from 'fastify'
import { searchPeople } from '../../../monitoring/read-person.ts'
import type { PersonFound } from '../../../views/people.ts'
import { html } from '../../../writing/html.ts'
import { queryText } from '../../address.ts'
import { layout } from '../../parts/layout.ts'
import { openAddress, sealAddress } from '../../sealed-address.ts'
import type { SiteFor } from '../../site/site.ts'
import { page } from '../../visit.ts'

const mostShown = 100

/** The people with a name that somebody searched for. The address is encrypted, like that of a person. */
export const addPeoplePage = (
  app: FastifyInstance,
  siteFor: SiteFor,
  secret: Buffer,
  addressOf: (person: PersonFound) => string,
): void => {
  page(app, siteFor, 'analyst', '/people/:name', async (visit) => {
    const { labels, format, visitor, request } = visit
    const { document: name } = openAddress(secret, queryText(request.params, 'name', 300) ?? '')
    const found = await searchPeople(visit.site.engine.sql, name, { by: visitor.name, limit: mostShown + 1 })
    const { people } = labels.person
    const body = html`<h1>${people.title}</h1><p class="lead">${people.searched(name)}</p>
      <section aria-label="${people.title}">${
        found.length === 0
          ? html`<p class="empty">${people.none}</p>`
          : html`<ul class="plain-list">${found
              .slice(0, mostShown)
              .map(
                (person) =>
                  html`<li><a href="${addressOf(person)}">${format.text(person.name)}</a> <span class="document">${format.document(person.document)}</span></li>`,
              )}</ul>`
      }
      ${found.length > mostShown && html`<p class="caption">${people.more(format.count(mostShown))}</p>`}</section>
      <p class="quiet-text">${labels.person.logged}</p>`
    return layout(visit, { title: people.title, body })
  })
}

/** The address of a search; a colon would end the name. */
export const peopleAddress = (secret: Buffer, name: string): string =>
  `/people/${sealAddress(secret, { organizationId: 0n, document: name.replaceAll(':', ' ').trim().slice(0, 60) })}`
