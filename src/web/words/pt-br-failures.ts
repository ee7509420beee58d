import type { Phrase } from './create-teller.ts'

/** What went wrong in a call to the registry; its own words stay as it said them. */
export const ptBrFailures: readonly Phrase[] = [
  [/^(.+); check the plan with the registry, then resume the lane$/, '$1; verifique o plano e libere a fila'],
  [
    /^(.+); check the access to the organization, then resume the lane$/,
    '$1; verifique o acesso à organização e libere a fila',
  ],
  [
    /^(.+); give Vigia a new REGISTRY_TOKEN and REGISTRY_REFRESH_TOKEN$/,
    '$1; dê ao Vigia um novo REGISTRY_TOKEN e REGISTRY_REFRESH_TOKEN',
  ],
  [/^The (?:call|request) was not sent: (.+)$/, 'A chamada não foi enviada: $1'],
  [/^(\S+ \/\S*) was not sent: (.+)$/, '$1 não foi enviada: $2'],
  [/^(\S+ \/\S*) got no answer: (.+)$/, '$1 não respondeu: $2'],
  [/^(\S+ \/\S*) refused to renew the token$/, '$1 recusou a renovação do token'],
  [/^(\S+ \/\S*) answered (\d+), the token is not accepted$/, '$1 respondeu $2, o token não é aceito'],
  [/^(\S+ \/\S*) answered (\d+), unauthorized$/, '$1 respondeu $2, não autorizado'],
  [/^(\S+ \/\S*) answered (\d+)$/, '$1 respondeu $2'],
  [/^(\S+ \/\S*) answered (\d+) (.+)$/, '$1 respondeu $2 $3'],

  [/^too many requests$/, 'chamadas demais'],
  [/^there is none$/, 'não há nenhuma'],
  [/^without a reason$/, 'sem dizer o motivo'],
  [/^with an empty body$/, 'com um corpo vazio'],
  [/^with HTML$/, 'com HTML'],
  [/^with a body that is not JSON$/, 'com um corpo que não é JSON'],
  [/^with a body that cannot be decoded$/, 'com um corpo que não pode ser decodificado'],
  [/^with a body of another shape, see (.+)$/, 'com um corpo de outro formato, veja $1'],
  [/^with a body of another shape$/, 'com um corpo de outro formato'],

  [/^(\d+) ms passed$/, 'passaram-se $1 ms'],
  [/^UND_ERR_SOCKET other side closed$/, 'a conexão foi fechada'],
  [/^it was given up$/, 'foi interrompida'],
  [/^it was given up while it waited for its turn$/, 'foi interrompida enquanto esperava a vez'],
  [/^given up before it was sent$/, 'foi interrompida antes do envio'],
  [/^a body of more than (\d+) bytes$/, 'um corpo de mais de $1 bytes'],
  [/^a value of its path is missing$/, 'falta um valor do endereço'],
  [/^its turn came too late$/, 'a vez dela chegou tarde demais'],
  [/^its lane was held meanwhile$/, 'a fila foi retida nesse meio-tempo'],
  [/^its token could not be renewed \((.+)\)$/, 'o token não pôde ser renovado ($1)'],
  [/^the token store did not answer$/, 'o cofre do token não respondeu'],
  [/^no token is stored$/, 'não há token guardado'],
  [/^the registry is not answering$/, 'o serviço não responde'],
  [
    /^the registry is not answering, the next attempt is due in (\d+) s$/,
    'o serviço não responde, a próxima tentativa é em $1 s',
  ],
]
