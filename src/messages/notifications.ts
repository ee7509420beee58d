import { sideBySide } from './side-by-side.ts'

/** The texts of mails and chat messages. Numbers arrive formatted in the language of the text. */
export const notificationLabels = sideBySide({
  language: ['en', 'pt-BR'],
  severities: {
    info: ['informational', 'informativo'],
    warning: ['warning', 'de atenção'],
    critical: ['critical', 'crítico'],
  },
  sweep: ['radar sweep of', 'varredura dos radares de'],
  portfolio: (name: string) => [`portfolio ${name},`, `carteira ${name},`],
  open: ['Open in Vigia', 'Abrir no Vigia'],
  ref: ['ref.', 'ref.'],
  risk: (atRisk: string, documents: string, amount: string | null) => [
    `At risk: ${atRisk} of ${documents} documents${amount ? `, ${amount}` : ''}.`,
    `Em risco: ${atRisk} de ${documents} documentos${amount ? `, ${amount}` : ''}.`,
  ],
  batchBy: (by: string) => [`Submitted by ${by}.`, `Enviado por ${by}.`],
  bought: (count: string) => [`Paid look-ups: ${count}.`, `Consultas pagas: ${count}.`],
  moreDifferences: (count: string) => [
    `Only the worst ${count} are listed; all of them are on the page and in the differences file.`,
    `Só as ${count} piores estão listadas; todas estão na página e no arquivo de diferenças.`,
  ],
  alerts: (count: string, severity: string, one: boolean) => [
    `${count} ${severity} ${one ? 'alert' : 'alerts'}`,
    one ? `${count} aviso ${severity}` : `${count} avisos ${plurals[severity] ?? severity}`,
  ],
  changes: (count: string, one: boolean) => [
    `${count} ${one ? 'document' : 'documents'} changed`,
    one ? `${count} documento mudou` : `${count} documentos mudaram`,
  ],
  listChanged: ['Only the list changed', 'Só a lista mudou'],
  nothing: ['Nothing changed', 'Nada mudou'],
  unverified: (count: string) => [`${count} not verified:`, `Não verificados, ${count}:`],
  more: (count: string) => [
    `Only the worst ${count} are listed; all of them are on the page and in the changes file of the day.`,
    `Só as ${count} piores estão listadas; todas estão na página e no arquivo de mudanças do dia.`,
  ],
  batchDone: (file: string) => [`Done: ${file}`, `Concluído: ${file}`],
  batchCancelled: (file: string) => [`Cancelled: ${file}`, `Cancelado: ${file}`],
  batchRejected: (file: string) => [`Rejected: ${file}`, `Rejeitado: ${file}`],
  batchNoRow: [
    'No row could be looked up; the rejects say why.',
    'Nenhuma linha pôde ser consultada; os rejeitados dizem por quê.',
  ],
  batchWaits: (file: string) => [`Needs approval: ${file}`, `Aguarda aprovação: ${file}`],
  batchRows: (kind: string, rows: string, rejected: string) => [
    `${kind}. Rows: ${rows}; rejected: ${rejected}.`,
    `${kind}. Linhas: ${rows}; rejeitadas: ${rejected}.`,
  ],
  batchCost: (kind: string, rows: string, paid: string) => [
    `${kind}. Rows: ${rows}; look-ups to pay for: ${paid}.`,
    `${kind}. Linhas: ${rows}; consultas a pagar: ${paid}.`,
  ],
  batchParked: (count: string, command: string) => [
    `Unknown outcome, to be settled by a person: ${count} (${command})`,
    `Resultado desconhecido, a resolver por uma pessoa: ${count} (${command})`,
  ],
  batchUnanswered: (count: string) => [
    `Rows without an answer: ${count}; the report says why.`,
    `Linhas sem resposta: ${count}; o relatório diz por quê.`,
  ],
  batchConfirm: (command: string) => [
    `Nothing is bought until someone approves it on the page or with: ${command}`,
    `Nada é comprado até que alguém aprove na página ou com: ${command}`,
  ],
  laneHeld: (lane: string) => [`Held: ${lane}`, `Fila retida: ${lane}`],
  laneFree: (lane: string) => [`Resumed: ${lane}`, `Fila liberada: ${lane}`],
  allLanes: (count: string) => [`all ${count} lanes`, `todas as ${count} filas`],
  since: (moment: string) => [`Held since ${moment}.`, `Retida desde ${moment}.`],
  see: (command: string) => [`Details: ${command}`, `Detalhes: ${command}`],
  sweepMissed: (slot: string) => [
    `The radar sweep of ${slot} did not run on time`,
    `A varredura dos radares de ${slot} não foi executada no horário`,
  ],
  sweepMadeUp: ['It is running now; its report follows.', 'Está sendo executada agora; o relatório vem em seguida.'],
  sweepFailed: (task: string, slot: string) => [`Failed: ${task} of ${slot}`, `Falha: ${task} de ${slot}`],
  suspicious: (organization: string) => [
    `The radar list of organization ${organization} was rejected`,
    `A lista de radares da organização ${organization} foi rejeitada`,
  ],
  accept: (command: string) => [
    `Monitoring continues with the last accepted list. If the rejected list is right, apply it with: ${command}`,
    `O monitoramento continua com a última lista aceita. Se a lista rejeitada estiver certa, aplique-a com: ${command}`,
  ],
  fileRejected: (file: string) => [`Rejected: ${file}`, `Recusado: ${file}`],
  fileNothingSpent: [
    'The file was dropped into the inbox. Nothing was looked up and nothing was spent.',
    'O arquivo foi colocado na pasta inbox. Nada foi consultado e nada foi gasto.',
  ],
  fileColumns: ['Choose its columns on the page, under Batches.', 'Escolha as colunas na página, em Lotes.'],
  fileAgain: [
    'Fix the file and drop it into the inbox again.',
    'Corrija o arquivo e coloque-o de novo na pasta inbox.',
  ],
  test: ['This is a test', 'Isto é um teste'],
  testLead: (by: string) => [
    `Sent by ${by}. Alerts from Vigia will arrive here.`,
    `Enviado por ${by}. Os avisos do Vigia chegarão por aqui.`,
  ],
  foot: [
    'Vigia. Documents are masked; details are on the page.',
    'Vigia. Os documentos estão mascarados; os detalhes estão na página.',
  ],
})

export type NotificationLabels = (typeof notificationLabels)['en']

const plurals: Record<string, string> = { informativo: 'informativos', crítico: 'críticos' }
