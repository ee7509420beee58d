/**
 * The tokens of a header, without accents, case and marks: `CPF/CNPJ` is *cpf cnpj*, `documentNumber` *document number*,
 * `Nº do documento` *no do documento*. Names that people write as one (`cpfcnpj`, `numeroprocesso`) are split.
 */
export const headerTokens = (header: string): string[] => {
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
