import type { enIncidents } from './en-incidents.ts'

/** What is wrong now, what it means, and what to do about it. The causes themselves are among the terms. */
export const ptBrIncidents: typeof enIncidents = {
  incident: {
    label: 'O que está errado agora',
    titles: {
      lanes_held: 'Uma fila está retida',
      no_worker: 'Nenhum worker em execução',
      books_awaited: 'O banco de dados pode ter esquecido compras: a lista do serviço é relida antes',
    },
    everyLane: 'Toda consulta ao serviço',
    since: 'desde',
    nextTry: 'próxima tentativa',
    inSpan: (span) => `em ${span}`,
    now: 'agora',
    stops: {
      asking: 'Nada novo é comprado; o que já foi pago ainda é buscado.',
      everything: 'Nada é consultado e nada é buscado.',
    },
    standStill: 'Parados:',
    openRows: (count) => `${count} linhas em aberto`,
    andMore: (count) => `e mais ${count}`,
    nobodyWaits: 'Nenhum lote espera por isso agora.',
    resume: 'Liberar a fila',
    chooseLane: 'Escolher a fila a liberar',
    whatToDo: 'O que fazer:',
    todo: {
      nothing: 'nada. Continua sozinho assim que o serviço voltar a responder.',
      renew_token:
        'dê aos workers um token novo (REGISTRY_TOKEN, REGISTRY_REFRESH_TOKEN) e reinicie-os. Se o serviço voltar a aceitar o antigo, tudo continua sozinho na próxima tentativa.',
      extend_plan:
        'amplie o plano junto ao serviço. Depois continua sozinho na próxima tentativa, ou na hora, se você liberar a fila.',
      restore_access:
        'peça ao serviço que devolva o acesso à organização. Depois continua sozinho na próxima tentativa, ou na hora, se você liberar a fila.',
      settle_refusal:
        'resolva com o serviço o que ele informa. Depois continua sozinho na próxima tentativa, ou na hora, se você liberar a fila.',
      raise_budget:
        'nada, se amanhã servir: continua sozinho depois da meia-noite. Para continuar hoje, aumente budget.perDay e reinicie os workers.',
      resume_lane: 'alguém a reteve de propósito. Fica retida até ser liberada.',
      start_worker: 'inicie um: vigia worker.',
    },
  },
}
