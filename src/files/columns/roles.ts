/** The roles of a column. `cpf` and `cnpj` are used where each has a separate column. */
export const columnRoles = ['documento', 'cpf', 'cnpj', 'tipo', 'nome', 'processo', 'ref', 'autorizacao'] as const

export type ColumnRole = (typeof columnRoles)[number]

export const isColumnRole = (text: string): text is ColumnRole => (columnRoles as readonly string[]).includes(text)

/** An unambiguous header. It is `bare` if it says nothing more, such as whose document it is. */
export type NamedRole = { role: ColumnRole; bare: boolean }

/**
 * The role that a header names. Every one of its tokens must be known: `Data do documento` or `CPF da mãe` have one that
 * makes them something else. Where it is not certain, a person decides.
 */
export const roleOf = (header: string): NamedRole | undefined => {
  const tokens = headerTokens(header).filter((token) => !small.has(token))
  const found = namings.find(
    ({ means, beside = people }) =>
      means.some((all) => all.every((token) => tokens.includes(token))) &&
      tokens.every((token) => means.some((all) => all.includes(token)) || beside.has(token)),
  )
  if (!found) return undefined
  return { role: roleAmong(found.role, tokens), bare: !tokens.some((token) => people.has(token)) }
}

/** `CPF/CNPJ` holds either, `CPF` only the one. */
const roleAmong = (role: ColumnRole, tokens: string[]): ColumnRole => {
  if (role !== 'documento') return role
  const named = (['cpf', 'cnpj'] as const).filter((token) => tokens.includes(token))
  return named.length === 1 ? (named[0] as ColumnRole) : 'documento'
}

const set = (tokens: string): Set<string> => new Set(tokens.split(' '))

/** Tokens that change nothing. */
const small = set('a o as os e ou do da de dos das of the or and n no nr nro num numero number')

/** Whose document, name or number it is. */
const people = set(
  `cliente titular devedor pessoa consumidor fornecedor empresa socio segurado contratante sacado cedente avalista fiador
   parte reu autor beneficiario proponente tomador associado cooperado aluno funcionario colaborador usuario comprador
   pagador mutuario proprietario locatario inquilino responsavel fisica juridica customer client holder debtor person
   company owner supplier employee user`.replace(/\s+/g, ' '),
)

type Naming = { role: ColumnRole; means: string[][]; beside?: Set<string> }

/** In the order of evaluation: `tipo de documento` is not a document. */
const namings: Naming[] = [
  {
    role: 'tipo',
    means: [['tipo'], ['type']],
    beside: set('documento document doc pessoa person cpf cnpj pf pj cliente customer'),
  },
  { role: 'nome', means: [['razao', 'social'], ['nome', 'completo'], ['full', 'name'], ['nome'], ['name']] },
  { role: 'processo', means: [['processo'], ['process']], beside: set('judicial cnj') },
  {
    role: 'autorizacao',
    means: [['autorizacao'], ['consentimento'], ['authorization'], ['consent']],
    beside: new Set([...people, ...set('scr bacen data date ref referencia reference id codigo code')]),
  },
  { role: 'documento', means: [['cpf'], ['cnpj'], ['documento'], ['document']] },
  {
    role: 'ref',
    means: [['ref'], ['referencia'], ['id'], ['codigo'], ['external', 'id']],
    beside: new Set([...people, 'externo', 'interno', 'external', 'internal']),
  },
]

/**
 * The tokens of a header, without accents, case and marks: `CPF/CNPJ` is *cpf cnpj*, `documentNumber` *document number*,
 * `Nº do documento` *no do documento*. Names that people write as one (`cpfcnpj`, `numeroprocesso`) are split.
 */
const headerTokens = (header: string): string[] => {
  const plain = header
    .slice(0, longestHeader)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
  return plain
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .flatMap((token) => (joined.test(token) ? (token.match(parts) as string[]) : [token]))
    .map((token) => singular[token] ?? token)
}

/** Anything longer is a note; the text beyond this length says nothing about its column. */
const longestHeader = 1_000

/** The common form of headers that differ only in accents, case, spaces and marks. */
export const plainHeader = (header: string): string => headerTokens(header).join(' ')

const vocabulary =
  'cpf|cnpj|documento|document|numero|number|processo|process|external|tipo|type|nome|name|razao|social|completo|cliente|pessoa|id'
const joined = new RegExp(`^(?:${vocabulary}){2,}$`)
const parts = new RegExp(vocabulary, 'g')

const singular: Record<string, string> = {
  cpfs: 'cpf',
  cnpjs: 'cnpj',
  documentos: 'documento',
  documents: 'document',
  processos: 'processo',
  nomes: 'nome',
  clientes: 'cliente',
}
