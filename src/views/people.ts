import { maskName } from '../domain/mask-documents.ts'
import { within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'

export type PersonFound = { document: string; name: string }

/**
 * Documents with a name that contains each of these names, by radars, portfolios and the registry. Case and accents do not
 * count. A name that only the registry gives is masked, as on every page.
 */
export const findPeople = async (sql: Sql, text: string, limit: number): Promise<PersonFound[]> => {
  const parts = foldName(text).split(/\s+/).filter(Boolean)
  const found = await sql<{ document: string; own: string | null; registry: string | null }[]>`
    with named as (
      select document, name, true as own from vigia.radar where ${within(sql, 'organization_id')}
       union all
      select d.document, d.name, true from vigia.portfolio_document d join vigia.portfolio p on p.id = d.portfolio_id
       where ${within(sql, 'p.organization_id')}
       union all
      select question, registry_name, false from vigia.lookup where registry_name is not null and ${within(sql, 'organization_id')}
       union all
      select document, registry_name, false from vigia.purchase where registry_name is not null and ${within(sql, 'organization_id')})
    select document, min(name) filter (where own) as own, min(name) filter (where not own) as registry
      from named
     where not exists (select from unnest(${parts}::text[]) as part (name)
                        where strpos(translate(lower(named.name), ${accented}, ${plain}), part.name) = 0)
     group by document
     order by coalesce(min(name) filter (where own), min(name)), document
     limit ${limit}`
  return found
    .map(({ document, own, registry }) => ({ document, name: own ?? maskName(registry ?? '') }))
    .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))
}

const accented = 'áàâãäéèêëíìîïóòôõöúùûüçñ'
const plain = 'aaaaaeeeeiiiiooooouuuucn'

const foldName = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')

/** Whether a text is a name and no document: it has letters in a row, and few digits. */
export const isName = (text: string): boolean => /\p{L}{3}/u.test(text) && (text.match(/\d/g) ?? []).length < 6
