import type { FileProblem, FileProblemCode } from '../../csv/file-problem.ts'

/** Says in plain words, English and Portuguese, why a file was not taken and what to do. */
export const explainRejection = (name: string, { message, code, line }: FileProblem): string => {
  const where = line === undefined ? '' : `linha ${line}: `
  return [
    `${name} was not taken: ${message}.`,
    `Nothing was looked up and nothing was spent. Mend the file and drop it into the inbox again.`,
    '',
    `${name} não foi aceito: ${where}${inPortuguese[code]}.`,
    `Nada foi consultado e nada foi gasto. Corrija o arquivo e coloque-o de novo na pasta inbox.`,
    '',
  ].join('\r\n')
}

const inPortuguese: Record<FileProblemCode, string> = {
  empty: 'o arquivo está vazio',
  not_text: 'não é um arquivo de texto; salve a planilha como "CSV UTF-8"',
  undecodable: 'há um byte que não é texto válido; salve o arquivo de novo como "CSV UTF-8"',
  nul: 'há um caractere NUL; salve o arquivo de novo como texto CSV',
  unknown_separator:
    'o separador indicado na linha "sep=" não é conhecido; use ponto e vírgula, vírgula, tabulação ou |',
  record_too_long: 'a linha é longa demais; falta uma quebra de linha ou fechar as aspas',
  no_header: 'a primeira linha não é um cabeçalho; acrescente um, com a coluna "documento" ou "numero_processo"',
  no_document_column: 'não há coluna de documentos; dê a ela o nome "documento", "cpf", "cnpj" ou "cpf_cnpj"',
  no_process_column: 'não há coluna de processos; dê a ela o nome "numero_processo"',
  several_document_columns: 'mais de uma coluna pode ser a do documento; renomeie todas menos uma',
  duplicate_headers: 'há colunas com o mesmo nome; dê a cada uma um nome próprio',
}
