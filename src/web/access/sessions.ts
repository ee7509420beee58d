import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  beginSession,
  endSession,
  findOperatorByToken,
  findSession,
  hashSecret,
  type Role,
} from '../../store/people/operators.ts'
import { isSecure, type Site } from '../site/site.ts'

const cookieName = 'vigia_session'
const lifeMs = 12 * 3_600_000

/** Who sends the request: the holder of a session cookie or of an operator's token; null if nobody is signed in. */
export const identify = async ({ sql, clock, settings }: Site, request: FastifyRequest): Promise<Visitor | null> => {
  const { authorization } = request.headers
  if (authorization) {
    const token = hashSecret(authorization.replace(/^Bearer +/i, ''))
    const operator = await findOperatorByToken(sql, token, clock())
    return operator && { ...operator, csrf: null }
  }
  const secret = request.cookies[cookieName]
  if (!secret) return null
  const session = await findSession(sql, hashSecret(secret), clock(), settings.web.loopback)
  if (!session) return null
  const { operator, role, organizations, csrf } = session
  return { name: operator ?? 'local', role, organizations, csrf }
}

/** Opens a session for an operator, or for the person at the terminal of this machine (null). */
export const openSession = async (
  { sql, clock }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  operator: string | null,
): Promise<void> => {
  const secret = createSecret()
  const now = clock()
  const session = { idHash: hashSecret(secret), operator, csrf: createSecret() }
  await beginSession(sql, session, new Date(now.getTime() + lifeMs), now)
  reply.setCookie(cookieName, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(request),
    maxAge: lifeMs / 1000,
  })
}

export const closeSession = async ({ sql }: Site, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const secret = request.cookies[cookieName]
  if (secret) await endSession(sql, hashSecret(secret))
  reply.clearCookie(cookieName, { path: '/' })
}

const linkLifeMs = 10 * 60_000

/** The sign-in link that a worker prints to its terminal: it works once, within ten minutes. */
export class SignInLink {
  readonly secret = createSecret()
  readonly #expiresAt: number
  #used = false

  constructor(now: Date) {
    this.#expiresAt = now.getTime() + linkLifeMs
  }

  addressAt(origin: string): string {
    return `${origin}/sign-in?link=${this.secret}`
  }

  /** True for the first request with the secret, if it is in time. */
  use(secret: string, now: Date): boolean {
    if (this.#used || now.getTime() >= this.#expiresAt || !timingSafeEqual(digest(secret), digest(this.secret)))
      return false
    this.#used = true
    return true
  }
}

const digest = (secret: string): Buffer => Buffer.from(hashSecret(secret), 'hex')

/**
 * The person who is signed in. `csrf` is null for a bearer token, which no other page can make a browser send.
 * `organizations` is null for operators who may see all of them.
 */
export type Visitor = { name: string; role: Role; organizations: readonly bigint[] | null; csrf: string | null }

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
  }
  interface FastifyContextConfig {
    /** The role that the route needs; `everyone` needs no sign-in. */
    role?: Role | 'everyone'
  }
}

const createSecret = (): string => randomBytes(32).toString('base64url')
