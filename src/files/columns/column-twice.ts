import { maskDocuments } from '../../domain/mask-documents.ts'
import type { Message } from '../../messages/message.ts'
import type { ColumnNames } from './read-options.ts'
import type { ColumnRole } from './roles.ts'

/** Why a column cannot have a role beside those that were named before: a row asks about one document. Null: it can. */
export const columnTwice = (columns: ColumnNames, role: ColumnRole, header: string): Message | null => {
  const rival = rivalsOf(role).find((each) => columns[each] !== undefined && columns[each] !== header)
  return rival ? ['column_twice', named(rival, columns[rival] as string), named(role, header)] : null
}

const rivalsOf = (role: ColumnRole): ColumnRole[] => {
  if (role === 'documento') return ['documento', 'cpf', 'cnpj']
  return role === 'cpf' || role === 'cnpj' ? [role, 'documento'] : [role]
}

const named = (role: ColumnRole, header: string): string =>
  `${role}=${JSON.stringify(maskDocuments(header.trim().slice(0, 80)))}`
