import type { NotificationLabels } from './en-labels.ts'

/** The texts of mails and chat messages, in Portuguese. */
export const ptBrNotifications: NotificationLabels = {
  language: 'pt-BR',
  severities: { info: 'informativo', warning: 'de atenção', critical: 'crítico' },
  fields: {
    processes: 'Processos',
    radar: 'Radar',
    name: 'Nome',
    active: 'Ativo',
    portfolio: 'Carteira',
    answer: 'Resposta',
    counts: (name) => `${name}: processos`,
    amounts: (name) => `${name}: valor`,
  },
  sweep: 'varredura dos radares de',
  portfolio: (name) => `carteira ${name},`,
  bought: (count) => `Consultas pagas: ${count}.`,
  moreDifferences: (count) => `Só as ${count} piores estão listadas; todas estão na página e no arquivo de diferenças.`,
  alerts: (count, severity, one) =>
    one ? `${count} aviso ${severity}` : `${count} avisos ${plurals[severity] ?? severity}`,
  changes: (count, one) => (one ? `${count} documento mudou` : `${count} documentos mudaram`),
  listChanged: 'Só a lista mudou',
  nothing: 'Nada mudou',
  proof: (verified, due, changed) => `${verified} de ${due} verificados, ${changed} mudaram.`,
  unverified: (count) => `Não verificados, ${count}:`,
  more: (count) => `Só as ${count} piores estão listadas; todas estão na página e no arquivo de mudanças do dia.`,
  rules: 'Regras',
  was: 'antes',
  batchDone: (file) => `Concluído: ${file}`,
  batchWaits: (file) => `Aguarda aprovação: ${file}`,
  batchRows: (kind, rows, rejected) => `${kind}. Linhas: ${rows}; rejeitadas: ${rejected}.`,
  batchCost: (kind, rows, paid) => `${kind}. Linhas: ${rows}; consultas a pagar: ${paid}.`,
  batchParked: (count, command) => `Resultado desconhecido, a resolver por uma pessoa: ${count} (${command})`,
  batchUnanswered: (count) => `Linhas sem resposta: ${count}; o relatório diz por quê.`,
  batchConfirm: (command) => `Nada é comprado até que alguém aprove na página ou com: ${command}`,
  laneHeld: (lane) => `Fila retida: ${lane}`,
  laneFree: (lane) => `Fila liberada: ${lane}`,
  allLanes: (count) => `todas as ${count} filas`,
  since: (moment) => `Retida desde ${moment}.`,
  see: (command) => `Detalhes: ${command}`,
  sweepMissed: (slot) => `A varredura dos radares de ${slot} não foi executada no horário`,
  sweepMadeUp: 'Está sendo executada agora; o relatório vem em seguida.',
  sweepFailed: (task, slot) => `Falha: ${task} de ${slot}`,
  suspicious: (organization) => `A lista de radares da organização ${organization} foi rejeitada`,
  accept: (command) =>
    `O monitoramento continua com a última lista aceita. Se a lista rejeitada estiver certa, aplique-a com: ${command}`,
  test: 'Isto é um teste',
  testLead: (by) => `Enviado por ${by}. Os avisos do Vigia chegarão por aqui.`,
  foot: 'Vigia. Os documentos estão mascarados; os detalhes estão na página.',
}

const plurals: Record<string, string> = { informativo: 'informativos', crítico: 'críticos' }
