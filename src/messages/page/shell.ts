import { sideBySide } from '../side-by-side.ts'

/** Frame, sign-in, notices and refusals. */
export const shellTexts = sideBySide({
  shell: {
    skip: ['Skip to the content', 'Ir para o conteúdo'],
    menu: ['Main menu', 'Menu principal'],
    batches: ['Batches', 'Lotes'],
    parked: ['Parked', 'Pendências'],
    radars: ['Radars', 'Radares'],
    portfolios: ['Portfolios', 'Carteiras'],
    changes: ['Changes', 'Mudanças'],
    system: ['System', 'Sistema'],
    signOut: ['Sign out', 'Sair'],
    signedInAs: ['Signed in as', 'Conectado como'],
    tagline: ['Every row comes back. Nothing is paid for twice.', 'Toda linha volta. Nada é pago duas vezes.'],
    more: ['Show more', 'Mostrar mais'],
    back: ['Back', 'Voltar'],
    search: ['Search', 'Buscar'],
    filter: ['Filter', 'Filtrar'],
    all: ['All', 'Todos'],
    yes: ['yes', 'sim'],
    no: ['no', 'não'],
    details: ['Details', 'Detalhes'],
    sandbox: ['Sandbox.', 'Ambiente de testes.'],
    sandboxHint: [
      'You are using the registry built into Vigia. People, answers and charges are made up.',
      'Você está usando o serviço embutido no Vigia. Pessoas, respostas e cobranças são fictícias.',
    ],
  },
  help: {
    title: ['Help', 'Ajuda'],
    ops: ['Operations', 'Operações'],
    analyst: ['Analysts', 'Analistas'],
    files: ['Files', 'Arquivos'],
    'on-call': ['On call', 'Plantão'],
  },
  signIn: {
    title: ['Sign in', 'Entrar'],
    token: ['Your operator token', 'Seu token de operador'],
    tokenHint: [
      'It starts with vig_ and was shown once, when an administrator added you.',
      'Começa com vig_ e foi mostrado uma única vez, quando um administrador cadastrou você.',
    ],
    linkTitle: ['Welcome to Vigia', 'Boas-vindas ao Vigia'],
    linkText: [
      'The worker on this machine printed this link. It works once and signs you in as an administrator.',
      'O worker desta máquina gerou este link. Ele funciona uma única vez e dá acesso de administração.',
    ],
    linkSubmit: ['Open Vigia', 'Abrir o Vigia'],
    noToken: [
      'On this machine, the worker prints a sign-in link when it starts. For a token, run:',
      'Nesta máquina, o worker mostra um link de acesso ao iniciar. Para obter um token, execute:',
    ],
    signedOut: ['You are signed out.', 'Você saiu.'],
  },
  refusals: {
    not_signed_in: ['Please sign in first.', 'Entre no sistema primeiro.'],
    not_allowed: ['Your role does not allow this.', 'Seu perfil não permite isso.'],
    not_found: ['Page not found.', 'Página não encontrada.'],
    stale_form: [
      'This form has expired. Reload the page and try again.',
      'Este formulário expirou. Recarregue a página e tente de novo.',
    ],
    wrong_host: ['This page is only available at localhost.', 'Esta página só está disponível em localhost.'],
    wrong_request: ['The request is not valid.', 'O pedido não é válido.'],
    too_large: ['The file is larger than this server accepts.', 'O arquivo é maior do que este servidor aceita.'],
    wrong_token: [
      'Unknown token. Check that you copied all of it.',
      'Token desconhecido. Confira se ele foi copiado por inteiro.',
    ],
    not_bound: [
      'This affects every organization, and you have access to only some of them.',
      'Isto afeta todas as organizações, e você só tem acesso a algumas.',
    ],
    used_link: [
      'This link was already used, or is more than ten minutes old. Restart the worker for a new link, or sign in with a token.',
      'Este link já foi usado ou tem mais de dez minutos. Reinicie o worker para obter outro, ou entre com um token.',
    ],
    no_spreadsheet: [
      'The registry cannot provide its spreadsheet now. Try again later.',
      'O serviço não consegue fornecer a planilha agora. Tente mais tarde.',
    ],
    too_many: [
      'Too many attempts. Wait a minute and try again.',
      'Tentativas demais. Espere um minuto e tente de novo.',
    ],
    incident: [
      'Something went wrong. The log has the details. Try again in a moment.',
      'Algo deu errado. O log tem os detalhes. Tente de novo em instantes.',
    ],
    title: ['That did not work', 'Não deu certo'],
  },
  notices: {
    confirmed: ['Approved. The batch may spend now.', 'Aprovado. O lote já pode gastar.'],
    paused: [
      'Paused. Answers already paid for are still fetched.',
      'Pausado. As respostas já pagas ainda são buscadas.',
    ],
    resumed: ['Resumed.', 'Retomado.'],
    cancelled: [
      'Cancelled. Answers already paid for are still fetched and reported.',
      'Cancelado. As respostas já pagas ainda são buscadas e vão para o relatório.',
    ],
    retried: ['The failed rows are looked up again.', 'As linhas que falharam serão consultadas de novo.'],
    passed_by: [
      'Some batches were skipped: they have ended, or would cost more than was shown.',
      'Alguns lotes ficaram de fora: já terminaram, ou custariam mais do que foi mostrado.',
    ],
    acknowledged: ['Acknowledged.', 'Ciência registrada.'],
    portfolio_due: ['A run starts within a minute.', 'Uma execução começa em até um minuto.'],
    portfolio_edited: ['Saved.', 'Salvo.'],
    resolved: ['Decision recorded.', 'Decisão registrada.'],
    repeated: [
      'This file was submitted before. This is its batch, and nothing is bought again.',
      'Este arquivo já foi enviado. Este é o lote dele, e nada é comprado de novo.',
    ],
    erased: [
      'Erased. Reports that contained the person are written again.',
      'Apagado. Os relatórios que continham a pessoa são gerados de novo.',
    ],
    lane_resumed: ['The lane was resumed.', 'A fila foi liberada.'],
    lane_held: ['The lane is held.', 'A fila está retida.'],
    sweep_started: ['Started. Its progress appears here.', 'Iniciado. O andamento aparece aqui.'],
    not_found: ['That document is not in this batch.', 'Esse documento não está neste lote.'],
    portfolio_added: [
      'Added. The first run starts within a minute. Nothing has been spent yet.',
      'Incluída. A primeira execução começa em até um minuto. Nada foi gasto ainda.',
    ],
    portfolio_synced: [
      'The list was replaced. Nothing was spent. The next run looks these documents up.',
      'A lista foi substituída. Nada foi gasto. A próxima execução consulta estes documentos.',
    ],
    portfolio_paused: [
      'Paused. No run starts until you resume the portfolio.',
      'Pausada. Nenhuma execução começa até que a carteira seja retomada.',
    ],
    portfolio_resumed: ['Resumed.', 'Retomada.'],
    rule_added: [
      'Rule added, switched off. See below which alerts it would have sent.',
      'Regra incluída e desligada. Veja abaixo os avisos que ela teria enviado.',
    ],
    rule_switched: ['Rule updated.', 'Regra atualizada.'],
    rule_removed: [
      'Rule removed. Its past alerts stay on record.',
      'Regra removida. Os avisos já enviados ficam registrados.',
    ],
    portfolio_removed: [
      'Portfolio removed. The batches and reports of its runs stay.',
      'Carteira removida. Os lotes e relatórios das execuções ficam.',
    ],
  },
  purposes: {
    purpose: ['Purpose', 'Finalidade'],
    legalBasis: ['Legal basis (LGPD)', 'Base legal (LGPD)'],
    none: ['not stated', 'não informada'],
    hint: ['such as: renewal of credit limits', 'por exemplo: renovação de limites de crédito'],
  },
  severities: {
    info: ['for information', 'informação'],
    warning: ['warning', 'aviso'],
    critical: ['critical', 'crítico'],
  },
})
