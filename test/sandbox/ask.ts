import type { z } from 'zod'
import type { Account } from '../../src/domain/lookup.ts'
import { type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts'
import { accounts, credentials } from '../../src/sandbox/tokens.ts'
import type {
  activitiesReply,
  CnhRecord,
  consulted,
  generated,
  inactivated,
  processCountReply,
  RadarLink,
  refreshed,
} from '../../src/sandbox/wire.ts'
import { startSandboxProcess } from '../support/sandbox-process.ts'

/** A sandbox with a simulated clock, and the calls that a client would make, with nothing in between. */
export const setup = async (options: SandboxOptions = {}) => {
  const clock = { at: Date.UTC(2026, 10, 15, 12) }
  const sandbox = await startSandbox({ now: () => clock.at, readyAfterMs: 0, ...options })
  const calls = callsTo(sandbox.url, { account: sandbox.account, token: sandbox.credentials.token })
  return { sandbox, clock, ...calls, [Symbol.asyncDispose]: () => sandbox.close() }
}

/** The sandbox as a separate process, ready to be killed. */
export const startProcess = async (...args: string[]) => {
  const sandbox = await startSandboxProcess(...args)
  return { ...sandbox, ...callsTo(sandbox.url, { account: accounts[0], token: credentials.token }) }
}

export type Caller = { account: Account; token: string }

/** The 12 operations as plain HTTP. */
export const callsTo = (url: string, { account, token }: Caller) => {
  const { organizationId, holderId, planId } = account
  /** Generates an analysis; `consult` returns its register. */
  const analyze = async (documentNumber: string) => {
    const { result } = (await calls.generate(documentNumber)).body
    const { userPlanConsumeAnalyticsId: id, userPlanConsumeUniqueId: uniqueId } = result
    const consult = async () => (await calls.consult(id, uniqueId)).body.register
    return { result, id, uniqueId, consult }
  }
  const ask = <T = Record<string, unknown>>(method: string, path: string, body?: unknown, signal?: AbortSignal) =>
    send<T>(url, token, method, path, body, signal)
  const calls = {
    ask,
    generate: (documentNumber: string, signal?: AbortSignal) =>
      ask<z.output<typeof generated>>(
        'POST',
        '/v2/analytics',
        { holderId, organizationId, planId, documentType: typeOf(documentNumber), documentNumber },
        signal,
      ),
    consult: (id: number, userPlanConsumeUniqueId: number) =>
      ask<z.output<typeof consulted>>('POST', `/v2/analytics/${id}`, {
        holderId,
        organizationId,
        userPlanConsumeUniqueId,
      }),
    activities: () =>
      ask<z.output<typeof activitiesReply>>('GET', `/v1/holder/${holderId}/organization/${organizationId}/activities`),
    cnhCreate: (document: string) => ask<CnhRecord>('POST', '/v1/cnh', { organizationId, document }),
    cnhRead: (id: string) => ask<CnhRecord>('GET', `/v1/cnh/organizations/${organizationId}/request/${id}`),
    cnhLatest: (document: string) =>
      ask<CnhRecord>('GET', `/v1/cnh/organizations/${organizationId}/document/${document}`),
    processCount: (documentNumber: string) =>
      ask<z.output<typeof processCountReply>>(
        'POST',
        `/v1/holder/${holderId}/organization/${organizationId}/partner/process`,
        { documentType: typeOf(documentNumber), documentNumber },
      ),
    radarAdd: (code: string, name = 'Somebody') =>
      ask('POST', `/v1/organization/${organizationId}/radar`, { name, code, type: typeOf(code) }),
    radarList: (query = '') => ask<RadarLink[]>('GET', `/v2/organizations/${organizationId}/radars${query}`),
    inactivate: (process: string) =>
      ask<z.output<typeof inactivated>>(
        'PUT',
        `/v1/organization/${organizationId}/process/${encodeURIComponent(process)}/INACTIVE`,
      ),
    scr: (document: string, signal?: AbortSignal) => ask('GET', `/v1/scr/indicators/${document}`, undefined, signal),
    refresh: (body: unknown) => ask<z.output<typeof refreshed>>('POST', '/v1/refreshtoken', body),
  }
  return { ...calls, analyze }
}

export type Answer<T> = { status: number; text: string; headers: Headers; body: T }

const send = async <T>(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer<T>> => {
  const reply = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  })
  const text = await reply.text()
  return { status: reply.status, text, headers: reply.headers, body: parse(text) }
}

const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

const typeOf = (document: string) => (document.length === 11 ? 'CPF' : 'CNPJ')

/** How long to wait for something that happens at once on an idle machine. */
export const timeouts = { timeout: 20_000, interval: 5 }
