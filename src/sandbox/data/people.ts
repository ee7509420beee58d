import { draws, hash, integerBetween, oneOf } from './hash.ts'

/** A plausible name for a document: a person for a CPF, a company for a CNPJ. */
export const personNameOf = (document: string, seed: number): string => {
  const draw = draws(hash(`${document} name`, seed))
  const surname = oneOf(draw, surnames)
  return document.length === 11
    ? `${oneOf(draw, givenNames)} ${surname} ${oneOf(draw, surnames)}`
    : `${surname} ${oneOf(draw, trades)} ${oneOf(draw, ['Ltda', 'S.A.', 'ME'])}`
}

/** One CPF in twelve belongs to somebody who never had a driver's licence. */
export const hasLicence = (cpf: string, seed: number): boolean => hash(`${cpf} licence`, seed) % 12 !== 0

/** The licence of a CPF; the interface shows none of these keys. (Interface 2.1) */
export const licenceOf = (cpf: string, seed: number): Record<string, unknown> => {
  const draw = draws(hash(`${cpf} cnh`, seed))
  const year = integerBetween(draw, 2027, 2035)
  return {
    nome: personNameOf(cpf, seed),
    numeroRegistro: String(integerBetween(draw, 10_000_000_000, 99_999_999_999)),
    categoria: oneOf(draw, ['A', 'B', 'AB', 'C', 'D', 'AE']),
    validade: `${year}-${String(integerBetween(draw, 1, 12)).padStart(2, '0')}-15`,
    situacao: oneOf(draw, ['REGULAR', 'REGULAR', 'REGULAR', 'SUSPENSA', 'VENCIDA']),
    uf: oneOf(draw, ['SP', 'RJ', 'MG', 'RS', 'BA', 'PR']),
  }
}

/** The credit-register indicators of a document; the interface shows no success body. (Interface 4.11) */
export const indicatorsOf = (document: string, seed: number, day: number): Record<string, unknown> => {
  const draw = draws(hash(`${document} scr ${Math.floor(day / 30)}`, seed))
  const falling = integerBetween(draw, 0, 30_000_000)
  const overdue = draw() < 0.7 ? 0 : integerBetween(draw, 5_000, 2_000_000)
  return {
    document,
    institutions: integerBetween(draw, 0, 9),
    operations: integerBetween(draw, 0, 40),
    toFallDue: (falling / 100).toFixed(2),
    overdue: (overdue / 100).toFixed(2),
    loss: draw() < 0.95 ? '0.00' : (overdue / 100).toFixed(2),
    score: integerBetween(draw, 0, 1000),
  }
}

/** The important terms of an analysis: some documents have none. */
export const termsOf = (document: string, seed: number): string[] =>
  terms.filter((_, at) => hash(`${document} term ${at}`, seed) % 2 === 0)

const terms = ['execução', 'penhora', 'falência']
const givenNames = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa', 'Fábio', 'Gabriela', 'Heitor', 'Inês', 'João']
const surnames = [
  'Souza',
  'Lima',
  'Araújo',
  'Rocha',
  'Conceição',
  'Teixeira',
  'Moraes',
  'Duarte',
  'Peixoto',
  'Gonçalves',
]
const trades = ['Transportes', 'Comércio', 'Engenharia', 'Alimentos', 'Tecidos', 'Logística']
