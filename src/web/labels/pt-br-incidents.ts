import type { enIncidents } from './en-incidents.ts'

/** What is wrong now, what it means, and what to do about it. The causes themselves are among the terms. */
export const ptBrIncidents: typeof enIncidents = {
  incident: {
    label: 'Incidentes em aberto',
    titles: {
      lanes_held: 'Uma fila está retida',
      no_worker: 'Nenhum worker em execução',
      books_awaited: 'O banco de dados pode ter perdido compras: à espera da lista do serviço',
    },
    everyLane: 'Todas as filas',
    since: 'desde',
    nextTry: 'próxima tentativa',
    inSpan: (span) => `em ${span}`,
    now: 'agora',
    stops: {
      asking: 'Nada novo é comprado. As respostas já pagas ainda são buscadas.',
      everything: 'Nada é comprado e nada é buscado.',
    },
    standStill: 'Parados:',
    openRows: (count) => `${count} linhas em aberto`,
    andMore: (count) => `e mais ${count}`,
    nobodyWaits: 'Nenhum lote afetado agora.',
    resume: 'Liberar a fila',
    chooseLane: 'Escolher a fila a liberar',
    whatToDo: 'O que fazer:',
    todo: {
      nothing: 'nada. O Vigia retoma sozinho assim que o serviço voltar a responder.',
      renew_token:
        'defina um token novo (REGISTRY_TOKEN, REGISTRY_REFRESH_TOKEN) e reinicie os workers. Se o serviço voltar a aceitar o token antigo, o Vigia retoma sozinho na próxima tentativa.',
      extend_plan:
        'amplie o plano junto ao serviço. Depois, o Vigia retoma sozinho na próxima tentativa, ou na hora, se você liberar a fila.',
      restore_access:
        'peça ao serviço que restabeleça o acesso da organização. Depois, o Vigia retoma sozinho na próxima tentativa, ou na hora, se você liberar a fila.',
      settle_refusal:
        'resolva com o serviço o que ele informa. Depois, o Vigia retoma sozinho na próxima tentativa, ou na hora, se você liberar a fila.',
      raise_budget:
        'nada, se puder esperar até amanhã: o Vigia retoma sozinho depois da meia-noite. Para continuar hoje, aumente budget.perDay e reinicie os workers.',
      resume_lane: 'alguém reteve a fila manualmente. Ela fica retida até ser liberada.',
      start_worker: 'inicie um: vigia worker.',
    },
  },
}
