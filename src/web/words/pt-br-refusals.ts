import type { Phrase } from './create-teller.ts'

/** What people did things to, and why something that they asked for cannot be done. */
export const ptBrRefusals: readonly Phrase[] = [
  [/^batch (\d+)$/, 'lote $1'],
  [/^batch (\d+) line (\d+)$/, 'lote $1, linha $2'],
  [/^organization (\d+)$/, 'organização $1'],
  [/^sweep (\d+)$/, 'tarefa $1'],
  [/^page$/, 'página'],
  [/^a person$/, 'uma pessoa'],

  [/^There is no batch (\d+): .+$/, 'Não existe o lote $1.'],
  [/^Batch (\d+) is (\w+), it waits for no confirmation$/, 'O lote $1 está $2: não aguarda confirmação.'],
  [/^Batch (\d+) cannot be (\w+): it is (\w+)$/, 'O lote $1 não pode ser $2: está $3.'],
  [/^Batch (\d+) already is (\w+)$/, 'O lote $1 já está $2.'],
  [/^Batch (\d+) is not paused, it is (\w+)$/, 'O lote $1 não está pausado: está $2.'],
  [/^Batch (\d+) has spent more than (\d+) already: allow more$/, 'O lote $1 já gastou mais de $2: permita mais.'],
  [
    /^Batch (\d+) is (.+), so nothing of it can be asked again: submit its file again$/,
    'O lote $1 está $2, e nada dele pode ser consultado de novo: envie o arquivo outra vez.',
  ],
  [/^Batch (\d+) was rejected: (.+)$/, 'O lote $1 foi recusado: $2'],
  [/^Batch (\d+) is still being imported: .+$/, 'O lote $1 ainda está sendo lido: tente de novo em instantes.'],
  [
    /^Batch (\d+) has no row at line (\d+): .+$/,
    'O lote $1 não tem linha $2: a contagem começa em 1, com o cabeçalho.',
  ],
  [/^Batch (\d+) has no row with a look-up at line (\d+)$/, 'O lote $1 não tem consulta na linha $2.'],
  [/^There is no look-up (\d+): .+$/, 'Não existe a consulta $1.'],
  [
    /^Look-up (\d+) is (\w+), not parked: there is nothing to settle$/,
    'A consulta $1 está $2, não em dúvida: não há o que resolver.',
  ],
  [/^Look-up (\d+) was settled by someone else just now$/, 'A consulta $1 acaba de ser resolvida por outra pessoa.'],
  [/^look-up (\d+)$/, 'consulta $1'],
  [
    /^Line (\d+) of batch (\d+) is (\w+), not parked: there is nothing to settle$/,
    'A linha $1 do lote $2 está $3, não em dúvida: não há o que resolver.',
  ],
  [
    /^Line (\d+) of batch (\d+) was settled by someone else just now$/,
    'A linha $1 do lote $2 acaba de ser resolvida por outra pessoa.',
  ],
  [
    /^A (\w+) look-up buys nothing that could be adopted: resend it, it looks first$/,
    'Esta consulta não compra nada que se possa adotar: envie de novo, ela verifica antes.',
  ],
  [
    /^The registry's (\S+) already belongs to another look-up of this document$/,
    'O número $1 do serviço já pertence a outra consulta deste documento.',
  ],
  [
    /^The registry lists no purchase (\S+) of this row's document\. It lists none\.$/,
    'O serviço não lista nenhuma compra $1 do documento desta linha, nem qualquer outra.',
  ],
  [
    /^The registry lists no purchase (\S+) of this row's document\. It lists (.+)\.$/,
    'O serviço não lista nenhuma compra $1 do documento desta linha. Ele lista $2.',
  ],
  [/^Lane (\S+) is not held: .+$/, 'A fila $1 não está retida.'],
  [/^Organization (\d+) has no suspicious list: .+$/, 'A organização $1 não tem lista suspeita.'],
  [/^A sweep of (\w+) already runs.*$/, 'Esta tarefa já está em andamento.'],
  [
    /^A paid call about this document is on its way: .+$/,
    'Uma chamada paga sobre este documento está a caminho: repita em dois minutos.',
  ],
  [
    /^(\d+) of (\d+) rows \((\S+) %\) were rejected, more than import\.maxRejectShare allows$/,
    '$1 de $2 linhas ($3 %) foram rejeitadas, mais do que import.maxRejectShare permite',
  ],
  [/^This is no CPF or CNPJ: (.+)$/, 'Isto não é um CPF nem um CNPJ: $1.'],
  [/^Say why the lane is held$/, 'Diga por que a fila fica retida.'],
  [/^Say adopt with the number at the registry, resend, or drop$/, 'Diga o número no serviço, ou escolha outra saída.'],
  [/^There is no file in the form: choose one$/, 'Não há arquivo no formulário: escolha um.'],
  [/^There is no kind (.+)$/, 'Não existe a pergunta $1.'],
  [/^There is no organization (.+)$/, 'Não existe a organização $1.'],
  [/^The limit of spending is a whole number$/, 'O limite de gastos é um número inteiro.'],

  [/^importing$/, 'sendo lido'],
  [/^not wholly imported$/, 'incompleto'],
  [/^unconfirmed$/, 'aguardando confirmação'],
  [/^running$/, 'em andamento'],
  [/^paused$/, 'pausado'],
  [/^done$/, 'concluído'],
  [/^cancelled$/, 'cancelado'],
  [/^rejected$/, 'recusado'],
  [/^ok$/, 'respondida'],
  [/^queued$/, 'na fila'],
  [/^sending$/, 'sendo enviada'],
  [/^waiting$/, 'aguardando a resposta'],
]
