import { inEnglish } from '../../domain/messages/english.ts'
import { inPortuguese } from '../../domain/messages/portuguese.ts'
import type { FileProblem } from '../../files/file-problem.ts'

/** Says in plain words, English and Portuguese, why a file was not taken and what to do. */
export const explainRejection = (name: string, { reason: message, asksForChoice }: FileProblem): string =>
  [
    `${name} was not taken: ${inEnglish(message)}.`,
    ...(asksForChoice
      ? [`An option goes with \`vigia submit\`, once: files with the same headers are then read alike.`]
      : []),
    `Nothing was looked up and nothing was spent. Mend the file and drop it into the inbox again.`,
    '',
    `${name} não foi aceito: ${inPortuguese(message)}.`,
    ...(asksForChoice
      ? [
          `Uma opção se usa com \`vigia submit\`, uma vez: arquivos com o mesmo cabeçalho são lidos assim daí em diante.`,
        ]
      : []),
    `Nada foi consultado e nada foi gasto. Corrija o arquivo e coloque-o de novo na pasta inbox.`,
    '',
  ].join('\r\n')
