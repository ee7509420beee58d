import type { OperationName } from '../../src/sandbox/operations.ts'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { documents, spellings } from './canaries.ts'

type Rules = NonNullable<ScenarioPatch['faults']>
type Shape = { status: number; body(text: string): unknown; markup?: true }

/** The forms in which a registry may repeat the request and the caller in its answer. */
const refusals: Shape[] = [
  { status: 400, body: (message) => ({ error: 'WrongParameterException', message }) },
  { status: 200, body: (reason) => ({ success: false, sucess: false, reason }) },
  { status: 409, body: (text) => ({ status: text, type: text, message: text }) },
  { status: 422, body: (error) => ({ error, code: error }) },
  { status: 500, body: (message) => ({ error: 'InternalServerError', message }) },
  { status: 200, body: (message) => ({ message, type: 'SomethingElse' }) },
  { status: 200, body: (text) => [text, { [text]: text }] },
  { status: 502, markup: true, body: (text) => `<html><title>${text}</title></html>` },
  { status: 200, markup: true, body: (text) => text },
  { status: 400, body: (message) => ({ status: 'INVALID_DOCUMENT', message }) },
]

/** Answers that are not final: their status is kept and shown. */
const waiting: Partial<Record<OperationName, (text: string) => unknown>> = {
  consult: (text) => ({ success: true, register: { status: text, statusIndex: text, statusReport: text } }),
  cnhRead: (text) => ({ requestId: 'one', status: text, data: null }),
  scr: (text) => ({ status: text, message: text }),
  processCount: (text) => ({ success: true, total: 3, reason: text }),
}

/** Answers each of the next requests with another form, document and spelling, and with the caller's token. */
export const echoesOf = (operation: OperationName, token: string): Rules => {
  const wait = waiting[operation]
  const shapes = wait ? [...refusals, { status: 200, body: wait }] : refusals
  return spellings.flatMap((spell, i) =>
    shapes.map(({ status, body, markup }, j) => {
      const n = i * shapes.length + j
      const text = `${spell(documents[n % documents.length]!)} by ${token}`
      const answer = body(n % 2 === 0 ? text : text.split(' by ').reverse().join(' and '))
      return { operation, nth: n + 1, fault: 'reply', status, body: markup ? String(answer) : JSON.stringify(answer) }
    }),
  )
}

/** A refusal that holds the lane; its message becomes the reason that people read. */
export const holding = (operation: OperationName, name: string, token: string): Rules => {
  const message = `${spellings[1]!(documents[0]!)} and ${documents[7]} may not, says ${token}`
  return [{ operation, fault: 'reply', status: 403, body: JSON.stringify({ error: name, status: name, message }) }]
}
