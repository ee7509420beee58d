import type { FileProblem } from '../../files/file-problem.ts'
import { inEnglish, inPortuguese } from '../../messages/message.ts'

/** Explains in English and Portuguese why a file was not accepted and what to do. */
export const explainRejection = (name: string, { reason: message, asksForChoice }: FileProblem): string =>
  [
    `${name} was not accepted: ${inEnglish(message)}.`,
    ...(asksForChoice
      ? [`Use the option once, with \`vigia submit\`: later files with the same headers are then read the same way.`]
      : []),
    `Nothing was looked up and nothing was spent. Fix the file and drop it into the inbox again.`,
    '',
    `${name} não foi aceito: ${inPortuguese(message)}.`,
    ...(asksForChoice
      ? [`Use a opção uma vez, com \`vigia submit\`: arquivos com o mesmo cabeçalho passam a ser lidos da mesma forma.`]
      : []),
    `Nada foi consultado e nada foi gasto. Corrija o arquivo e coloque-o de novo na pasta inbox.`,
    '',
  ].join('\r\n')
