import type { enMessages } from '../en/messages.ts'
import { term } from '../term.ts'
import { terms } from '../terms.ts'
import { values } from '../values.ts'

/** Brazilian Portuguese. The registry's own text stays as it was sent. */
export const ptBrMessages: typeof enMessages = {
  text: (text) => text,

  intent: () => 'intenção de enviar registrada',
  inherited: () => 'herdada: já comprada, só falta a resposta',
  accepted: (seen) => after('aceita pelo serviço', seen),
  answered: () => 'respondida',
  not_ready: (seen) => after('ainda não está pronta', seen),
  adopted: (seen) => after('compra encontrada no serviço e adotada', seen),
  adopted_again: () => 'adotada: já comprada dentro do prazo de validade',
  adopted_elsewhere: () => 'adotada: já comprada fora do Vigia',
  adopted_by: (who) => `compra adotada por ${who}`,
  sent_again_by: (who) => `enviada de novo por ${who}`,
  dropped_by: (who) => `descartada por ${who}`,
  refused: (why) => `recusada: ${why}`,
  not_sent: (why) => `não enviada: ${why}`,
  no_answer: (why) => `sem resposta: ${why}`,
  held: (cause, why) => `fila retida (${named(cause)}): ${why}`,
  put_back: (why) => `devolvida à fila: ${why}`,
  not_judged: (why) => `resultado ainda desconhecido: ${why}`,
  parked: (why) => `resultado desconhecido, uma pessoa decide: ${why}`,
  parked_late: () => 'resultado ainda desconhecido no fim do prazo',
  absent_once: () => 'não está na lista do serviço, que será lida mais uma vez',
  absent: () => 'a lista prova que nada foi comprado: será enviada de novo',
  ended: (state, why) => `${named(state)}: ${why}`,
  gave_up: (tries, why) => `desistiu após ${tries} ${tries === 1 ? 'tentativa' : 'tentativas'}: ${why}`,
  timed_out: (why) => `tempo esgotado: ${why}`,
  over_budget: () => 'acima do orçamento: não enviada',
  cancelled: () => 'cancelada antes de ser enviada',
  deadline: () => 'o prazo passou',
  worker_died: () => 'o worker caiu durante a consulta',
  sweep_over: () => 'a varredura que pediu a consulta já terminou',

  last_seen: (seen) =>
    seen ? `o prazo passou; último status visto: ${named(seen)}` : 'o prazo passou e nenhum status foi visto',
  bought_before: () => 'já comprada; não é cobrada de novo',
  bought_elsewhere: (dated) => (dated ? `já comprada fora do Vigia, ${dated}` : 'já comprada fora do Vigia'),
  stopped: () => 'a fila ou o worker parou',
  batch_spent: () => 'o lote atingiu o limite de gastos',
  day_spent: (units) => `o orçamento diário de ${units} foi gasto`,
  only_cpf: () => 'só um CPF tem CNH',
  lost_older: () => 'a resposta se perdeu, e o que a lista do serviço mostra pode ser mais antigo',
  lost_denied: () => 'a resposta se perdeu, e o serviço nega pedidos que aceitou',
  lost_shared: () => 'a resposta se perdeu, e o que está na lista tem o número de uma consulta de outra organização',
  lost_deleted: () => 'a resposta se perdeu, e o que a lista do serviço mostra foi excluído',
  lost_unknown: () => 'a resposta se perdeu, e o resultado ainda era desconhecido no fim do prazo',
  refused_unproven: (why) => `recusada (${why}), e a lista do serviço não mostra se houve cobrança mesmo assim`,
  lost_unproven: () => 'a resposta se perdeu, e a lista do serviço não está completa',
  died_thrice: () => 'o worker caiu três vezes com esta consulta',
  unstorable: (code) => `a resposta não pôde ser guardada (PostgreSQL ${code})`,
  unexpected: (error) => `erro inesperado: ${error}`,
  no_judgement: (outcome) => `a etapa terminou como ${outcome}, o que não resolve nada`,
  reader_gone: () => 'o worker que lia a lista caiu',
  not_written: () => 'a lista não pôde ser gravada',
  list_unread: (why) => `não foi possível ler as compras no serviço: ${why}`,
  list_busy: () => 'outro worker ainda está lendo a lista',
  list_bare: () => 'o serviço não enviou a lista, e o banco de dados pode ter perdido compras',
  list_cut: () => 'a lista veio cortada ou não pôde ser lida por inteiro',
  list_empty: (known) => `a lista está vazia, mas ${known} radares são conhecidos`,
  list_short: (missing, known) => `faltam na lista ${missing} de ${known} radares conhecidos`,
  never_asked: () => 'não consultado',
  held_by_hand: () => 'retida por um operador',
  unverified: (kind, state) => `${named(kind)}: ${named(state)}`,
  unverified_held: (kind, cause) => `${named(kind)}: fila retida (${named(cause)})`,
  unverified_late: (kind) => `${named(kind)}: sem resposta a tempo`,
  left_list: () => 'saiu da carteira durante a execução',
  erased: () => 'apagado durante a execução',

  sweep_lost: () => 'durou mais de um dia',
  failed_thrice: (error) => `falhou três vezes: ${error}`,
  organization_gone: (organization) => `a organização ${organization} não está nas configurações`,
  run_empty: () => 'a carteira não tem documentos',
  run_rejected: () => 'o arquivo da carteira foi rejeitado',
  run_batch_gone: () => 'o lote não existe mais',

  http: (endpoint, status, what) => `${endpoint} respondeu ${status}${what ? ` ${what}` : ''}`,
  unauthorized: (endpoint, status) => `${endpoint} respondeu ${status}, não autorizado`,
  token_refused: (endpoint, status) => `${endpoint} respondeu ${status}, o token não é aceito`,
  refresh_refused: (endpoint) => `${endpoint} recusou a renovação do token`,
  no_token: () => 'A chamada não foi enviada: não há token guardado',
  call_not_sent: (endpoint, why) => `${endpoint ?? 'A chamada'} não foi enviada: ${why}`,
  call_no_answer: (endpoint, why) => `${endpoint} não respondeu: ${why}`,
  outage: (endpoint, seconds) =>
    `${endpoint} não foi enviada: o serviço não responde${seconds === null ? '' : `, a próxima tentativa é em ${seconds} s`}`,
  check_plan: (what) => `${what}; verifique o plano e libere a fila`,
  check_access: (what) => `${what}; verifique o acesso à organização e libere a fila`,
  new_token: (what) => `${what}; dê ao Vigia um novo REGISTRY_TOKEN e REGISTRY_REFRESH_TOKEN`,
  too_many: () => 'chamadas demais',
  there_is_none: () => 'não há nenhuma',
  no_reason: () => 'sem dizer o motivo',
  body_empty: () => 'com um corpo vazio',
  body_html: () => 'com HTML',
  body_not_json: () => 'com um corpo que não é JSON',
  body_undecodable: () => 'com um corpo que não pode ser decodificado',
  body_misshapen: (path) => `com um corpo de outro formato${path ? `, veja ${path}` : ''}`,
  other_document: () => 'com uma resposta sobre outro documento',
  body_large: (bytes) => `um corpo de mais de ${bytes} bytes`,
  body_not_taken: () => 'o corpo não pôde ser lido',
  broken: (error) => `falha de conexão (${error})`,
  ms_passed: (ms) => `passaram-se ${ms} ms`,
  given_up: () => 'foi interrompida',
  given_up_waiting: () => 'foi interrompida enquanto esperava a vez',
  path_missing: () => 'falta um valor do endereço',
  turn_late: () => 'a vez dela chegou tarde demais',
  lane_held: () => 'a fila foi retida nesse meio-tempo',
  no_renewal: (why) => `o token não pôde ser renovado (${why})`,
  vault_silent: () => 'o armazenamento do token não respondeu',

  cell_empty: () => 'a célula está vazia',
  cell_bare: () => 'a célula não tem dígitos nem letras',
  cell_long: (characters) => `${characters} caracteres na célula`,
  rounded: () =>
    'o programa de planilhas arredondou o número e os dígitos se perderam; a planilha de origem (.xlsx) ainda os tem: envie-a',
  not_document: () => 'caracteres que não são dígitos, letras nem máscara',
  not_process: () => 'caracteres que um número de processo não tem',
  digits: (digits) => `${digits} dígitos: um CPF tem 11, um CNPJ tem 14`,
  digits_short: (digits) => `${digits} dígitos: um CPF tem 11, um CNPJ tem 14, e zeros à esquerda não resolvem`,
  digits_process: (digits) => `${digits} dígitos: um número de processo tem 20, um antigo tem ao menos 5`,
  same_digit: (digits) => `${digits} vezes o mesmo dígito`,
  ambiguous: (digits) =>
    `${digits} dígitos: pode ser CPF ou CNPJ; informe qual em uma coluna “tipo” ou, para o arquivo todo, com --document-type`,
  other_type: (given, fits) => `o tipo diz ${given}, mas os dígitos só servem para um ${fits}`,
  cpf_letters: () => 'o tipo diz CPF, mas um CPF não tem letras',
  check_digits: (digits) => `${digits} dígitos, mas os verificadores não conferem`,
  check_characters: () => '14 caracteres, mas os verificadores não conferem',
  letters_only: () => 'só letras',
  letters: (characters) => `${characters} caracteres com letras: só um CNPJ tem letras, e ele tem 14`,
  cnpj_end: () => 'os dois últimos de um CNPJ são dígitos',
  quotes: () => 'as aspas desta linha não fecham: feche-as ou duplique-as',
  cells: (cells, header) =>
    `a linha tem ${cells} células, o cabeçalho ${header}: ponha entre aspas a célula que contém o separador`,
  at_line: (line, what) => `linha ${line}: ${what}`,
  nul: () => 'um caractere NUL: salve o arquivo de novo como CSV',
  undecodable: (byte, encoding) => `o byte ${byte} não é texto ${encoding}: salve o arquivo de novo como “CSV UTF-8”`,
  row_long: (bytes, columns) =>
    `uma linha de mais de ${bytes} bytes ou ${columns} colunas: falta uma quebra de linha ou uma aspa?`,
  many_rejects: (rejected, rows, percent) =>
    `${rejected} de ${rows} linhas (${percent} %) foram rejeitadas, mais do que import.maxRejectShare permite`,
  cut_number: () => 'uma planilha guarda 15 dígitos de um número, e o resto deste se perdeu: grave a célula como texto',
  no_authorization: () => 'a linha não tem autorização: preencha a coluna autorizacao com a referência ou a data',
  two_documents: () =>
    'a linha tem um CPF e um CNPJ: deixe uma das duas células vazia, ou indique as duas colunas como documento para consultar os dois',
  no_purpose: () =>
    'a finalidade é obrigatória: informe-a na página ou com --purpose, ou defina purpose.default para os arquivos da pasta de entrada',
  file_empty: () => 'o arquivo está vazio: é preciso uma linha por documento',
  no_rows: () => 'o arquivo tem cabeçalho e nenhuma linha: nada a consultar',
  all_rejected: (rows) => `nenhuma das ${rows} linhas pode ser consultada: os rejeitados dizem por quê`,
  not_text: (looksLike) =>
    `isto é ${term(kinds, looksLike)}, não um texto: salve a tabela como .xlsx ou “CSV UTF-8” e envie o resultado`,
  unknown_separator: (separator) => `“sep=${separator}” não é ; , tabulação nem | : separe as colunas com um destes`,
  no_header: (role) =>
    `a primeira linha não é um cabeçalho: leia-a como registro com --no-header, ou ponha um cabeçalho acima dela, com a coluna de ${columnOf(role)}`,
  no_header_line: (line) =>
    `não há cabeçalho na linha ${line}: a contagem começa em 1, como no editor de texto ou na planilha`,
  no_column: (role, header, offers) =>
    `o cabeçalho tem ${header}, mas nenhuma coluna de ${columnOf(role)}: ${offers ? `as células mostram qual é; acrescente ${offers}` : `diga qual é com --column ${role}="…", ou dê a ela esse nome`}`,
  several_columns: (columns, offers) =>
    `as colunas ${columns} podem conter o documento, cada uma: acrescente uma destas, ou várias para consultar cada uma: ${offers}`,
  duplicate_headers: (repeated) => `há mais de uma coluna com o nome ${repeated}: dê a cada uma o seu`,
  unknown_header: (wanted, header) => `nenhuma coluna se chama ${wanted}: o cabeçalho tem ${header}`,
  many_columns: (columns, most) =>
    `a linha tem ${columns} colunas, e uma tabela pode ter ${most}: retire as colunas que não são necessárias`,
  parse_slow: (seconds) =>
    `a leitura do arquivo levou mais de ${seconds} segundos: salve a tabela de novo, ou como CSV, e envie o resultado`,
  parse_large: (mebibytes) =>
    `a leitura do arquivo ocupou mais de ${mebibytes} MiB de memória: divida-o, ou salve a tabela como CSV e envie o resultado`,
  quarantined: (deaths) =>
    `o arquivo está em quarentena: ${deaths} workers caíram durante a leitura. Avise o suporte; salve a tabela de novo, ou tente o mesmo arquivo depois de 24 horas`,

  old_excel: () => 'é uma planilha do Excel 97-2003 (.xls); abra, salve como .xlsx e envie o resultado',
  workbook_empty: () => 'o arquivo está vazio; salve a planilha de novo e envie o resultado',
  workbook_password: () =>
    'a planilha tem senha; retire-a (Arquivo, Informações, Proteger Pasta de Trabalho) e salve de novo',
  binary_workbook: () => 'é uma planilha binária (.xlsb); abra, salve como .xlsx e envie o resultado',
  open_document: () => 'é um arquivo OpenDocument (.ods); abra, salve como .xlsx ou CSV e envie o resultado',
  not_workbook: (looksLike) => `isto não é uma planilha, e sim ${term(kinds, looksLike)}; ${cures[looksLike] ?? cure}`,
  encrypted_part: (part) => `${part} está cifrada dentro do arquivo; salve a planilha sem senha`,
  overlapping_parts: (part) =>
    `${part} ocupa os mesmos bytes que outra parte, o que nenhum programa de planilhas grava; ${saveAnew}`,
  forbidden_xml: (part) =>
    `${part} declara um tipo de documento ou uma entidade, o que nenhum programa de planilhas grava; ${saveAnew}`,
  workbook_large: (part, limit, what) =>
    `${part} tem mais de ${limit} ${term(amounts, what)}; divida o arquivo, ou salve a aba como CSV e envie o resultado`,
  workbook_damaged: (part, fault) => `não foi possível ler ${part} (${fault}); ${saveAnew}`,
  no_sheet: () => 'a planilha não tem aba com células; grave nela a aba com os documentos',
  sheets_differ: () =>
    'uma aba tem uma coluna de CPFs e outra de CNPJs, e outra aba tem os dois em uma só: leia uma por vez com --sheet NOME',
  in_sheet: (sheet, what) => `aba “${sheet}”: ${what}`,
  unknown_sheet: (sheet, sheets) => `não há aba “${sheet}”; a planilha tem ${sheets}`,

  the_file: () => 'o arquivo',
  the_zip: () => 'o zip',
  the_workbook: () => 'a planilha',
  part_missing: () => 'está faltando',
  part_twice: () => 'aparece duas vezes',
  checksum_wrong: () => 'a soma de verificação não confere',
  packing_unusual: () => 'a compactação é desconhecida',
  not_utf8: () => 'não está em UTF-8',
  nul_inside: () => 'contém caracteres NUL',
  ends_early: () => 'termina cedo demais',
  other_root: (root) => `não é ${root}`,
  tags_unmatched: () => 'as marcas não se correspondem',
  tag_malformed: () => 'uma marca está malformada',
  attribute_twice: () => 'um atributo aparece duas vezes',
  lone_ampersand: () => 'há um “&” solto',
  rows_unordered: () => 'as linhas estão fora de ordem',
  cells_unordered: (row) => `as células da linha ${row} estão fora de ordem`,
  cell_contradicts: (row) => `uma célula da linha ${row} não contém o que diz`,

  no_batch: (batch) => `Não existe o lote ${batch}.`,
  not_unconfirmed: (batch, state) => `O lote ${batch} não precisa de aprovação: está ${named(state)}.`,
  batch_over: (batch, wanted, state) => `O lote ${batch} não pode ser ${named(wanted)}: está ${named(state)}.`,
  batch_already: (batch, state) => `O lote ${batch} já está ${named(state)}.`,
  not_paused: (batch, state) => `O lote ${batch} não está pausado: está ${named(state)}.`,
  spent_more: (batch, units) => `O lote ${batch} já gastou mais de ${units}: defina um limite maior.`,
  costs_more: (batch, units, agreed) =>
    `O lote ${batch} custaria agora ${units}, mas ${agreed} foram aprovadas: confira o custo de novo.`,
  beyond_limit: (batch) =>
    `O lote ${batch} atingiu o limite, e consultar de novo não mudaria nada: defina um limite maior (maxSpend).`,
  not_retryable: (batch, state) => `O lote ${batch} está ${named(state)}, e ${notAgain}`,
  not_imported: (batch) => `O lote ${batch} não foi importado por inteiro, e ${notAgain}`,
  batch_rejected: (batch, problem) => `O lote ${batch} foi rejeitado: ${problem}`,
  report_overtaken: (batch) =>
    `Uma pessoa foi apagada do lote ${batch} enquanto o relatório era escrito: tente de novo em instantes.`,
  importing: (batch) => `O lote ${batch} ainda está sendo lido: tente de novo em instantes.`,
  no_line: (batch, line) => `O lote ${batch} não tem linha ${line}: a contagem começa em 1, com o cabeçalho.`,
  no_lookup_at: (batch, line) => `O lote ${batch} não tem consulta na linha ${line}.`,
  no_document_column_named: (column, columns) =>
    columns
      ? `Nenhuma coluna de documentos se chama ${column}: as linhas consultam ${columns}.`
      : `As linhas deste lote têm um documento: não informe a coluna ${column}.`,
  several_parked: (line, batch, columns) =>
    `Há vários documentos pendentes na linha ${line} do lote ${batch}: informe a coluna, ${columns}.`,
  no_lookup: (lookup) => `Não existe a consulta ${lookup}.`,
  lookup_not_parked: (lookup, state) =>
    `A consulta ${lookup} não tem resultado desconhecido (${named(state)}): não há o que resolver.`,
  lookup_settled: (lookup) => `A consulta ${lookup} acaba de ser resolvida por outra pessoa.`,
  line_not_parked: (line, batch, state) =>
    `A linha ${line} do lote ${batch} não tem resultado desconhecido (${named(state)}): não há o que resolver.`,
  line_left: (line, batch, lookup) =>
    `A linha ${line} do lote ${batch} passou para outro lote quando o seu foi cancelado: resolva lá a consulta ${lookup} (\`vigia resolve --lookup ${lookup}\`).`,
  line_settled: (line, batch) => `A linha ${line} do lote ${batch} acaba de ser resolvida por outra pessoa.`,
  buys_nothing: (kind) =>
    `A consulta (${named(kind)}) não compra nada que se possa adotar: envie de novo, ela verifica antes.`,
  not_ours: (remote) => `O número ${remote} do serviço já pertence a outra consulta deste documento.`,
  not_listed: (remote, listed) =>
    `O serviço não lista nenhuma compra ${remote} do documento desta linha${listed ? `. Ele lista ${listed}.` : ', nem qualquer outra.'}`,
  lane_free: (lane) => `A fila ${lane} não está retida.`,
  no_change: (change) => `Não existe a mudança ${change}.`,
  no_suspicious: (organization) => `A organização ${organization} não tem lista rejeitada.`,
  sweep_runs: (name, since, sweep) =>
    `Esta varredura (${named(name)}) já está em andamento${since ? ` desde ${since} (${sweep})` : ''}.`,
  call_underway: () =>
    'Uma chamada paga sobre este documento está em andamento ou tem resultado desconhecido: repita em dois minutos, ou resolva-a antes (`vigia parked`).',
  no_document: (why) => `Isto não é um CPF nem um CNPJ: ${why}.`,
  no_portfolio: (name) => `Não existe a carteira ${name}.`,
  portfolio_exists: (name) => `Já há uma carteira ${name}: troque a lista dela em vez de incluir outra.`,
  portfolio_name: () =>
    'O nome de uma carteira tem até 60 letras, dígitos, espaços e . _ -, começa com letra ou dígito e não contém documento.',
  portfolio_every: () => 'Uma carteira se repete depois de 1h a 400d.',
  rule_exists: (name) => `Já há uma regra ${name}.`,
  rule_wrong: () =>
    'Uma regra tem um nome de até 80 caracteres sem documento, ao menos uma classe monitorada e um limite acima de 0 quando algo deve crescer.',
  operator_exists: (name) => `Já existe um operador ${name}. Exclua o antigo primeiro.`,
  operator_self: () => 'Ninguém altera nem remove a si mesmo.',
  no_operator: (name) => `Operador ${name} não encontrado.`,
  no_rule: () => 'Essa regra não existe mais.',
  portfolio_empty: () => 'Não há documento nessa lista.',
  portfolio_paused: (name) => `A carteira ${name} está pausada.`,
  portfolio_running: (name) => `Uma execução da carteira ${name} está em andamento.`,
  portfolio_document: () => 'Um dos documentos não é um CPF ou CNPJ válido.',
  portfolio_not_paused: (name) => `A carteira ${name} não está pausada.`,
  say_note: () => 'Informe em uma nota o que foi feito a respeito da mudança.',
  say_how: () => 'Informe o número no serviço ou escolha outra opção.',
  no_file: () => 'Nenhum arquivo foi escolhido: escolha um.',
  field_after_file: (field) => `O campo “${field}” vem depois do arquivo: envie todos os campos antes dele.`,
  no_language: (language) => `Uma planilha é escrita em en ou pt-BR, não ${language}`,
  no_organization: (organization, known) => `Não existe a organização ${organization}; conhecidas: ${known}.`,
  no_number: () => 'O limite de gastos é um número inteiro.',
  no_choice: (choice) => `Não existe a escolha ${choice}.`,
  no_upload: (upload) => `O arquivo ${upload} não está mais aqui: envie-o de novo.`,
  no_role: (role) =>
    `Informe um papel e um cabeçalho, como documento="Doc. Cliente", e não ${role}; o papel é documento, cpf, cnpj, tipo, nome, processo, ref ou autorizacao.`,
  column_twice: (one, other) =>
    `Foram dadas ${one} e ${other}, e só documento pode ter várias colunas: dê uma delas. Se uma linha tem vários documentos, indique cada coluna com documento.`,
  many_documents: (most) => `Uma linha consulta no máximo ${most} documentos: deixe algumas colunas de fora.`,
  no_line_number: () => 'A linha do cabeçalho é um número inteiro, a partir de 1.',
}

const { looksLike: kinds, amounts } = values['pt-BR']

const after = (text: string, seen: string | null): string => (seen ? `${text}: ${named(seen)}` : text)
const notAgain = 'nada dele pode ser consultado de novo: envie o arquivo outra vez.'

const saveAnew = 'abra o arquivo, salve de novo e envie o resultado'

const columnOf = (role: string): string =>
  role === 'processo' ? 'processos “numero_processo”' : 'documentos “documento”, “cpf”, “cnpj” ou “cpf_cnpj”'

const cures: Partial<Record<string, string>> = {
  text: 'se é um CSV, dê a ele um nome que termine em .csv',
  html: 'abra em um programa de planilhas, salve como .xlsx e envie o resultado',
  xml: 'abra em um programa de planilhas, salve como .xlsx e envie o resultado',
  zip_without_workbook: 'descompacte e envie a planilha que está dentro',
}
const cure = 'envie o .xlsx ou o CSV com os documentos'

/** Labels of states, causes and kinds in a sentence, and of the statuses that Vigia sets; the registry's stay unchanged. */
const named = (code: string): string => names.get(code) ?? code

const names = new Map(
  Object.entries({
    ...terms['pt-BR'].batchStates,
    ...terms['pt-BR'].outcomes,
    ...values['pt-BR'].statuses,
    plan: 'plano',
    refused: 'chamadas recusadas',
    fetch_refused: 'respostas recusadas',
    outage: 'serviço fora do ar',
    list: 'lista de compras ilegível',
    budget: 'orçamento',
    operator: 'uma pessoa',
    analysis: 'análise',
    processes: 'processos',
    inactivation: 'inativação',
    radars: 'varredura dos radares',
    unfinished: 'consultas inacabadas',
    usage: 'uso do plano',
    purge: 'exclusão de dados antigos',
  }),
)
