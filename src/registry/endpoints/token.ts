import { z } from 'zod'
import type { Call, CallOptions } from '../call.ts'

export type Credentials = { email: string; username: string; refreshToken: string }

const refreshed = z.looseObject({ token: z.string().regex(/^[\x21-\x7e]+$/) })

export const token = (call: Call, credentials: Credentials) => ({
  /** A new access token for the present one, which is still the bearer of this call. (Interface 4.12) */
  async refresh(options?: CallOptions): Promise<string> {
    const { email, username, refreshToken } = credentials
    const body = { email, username, refreshToken }
    const question = { method: 'POST', path: '/v1/refreshtoken', body, reply: refreshed, renews: true } as const
    const reply = await call(question, options)
    return reply.token
  },
})
