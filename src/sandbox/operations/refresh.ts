import type { z } from 'zod'
import { emailRequired, refreshRefused } from '../refusals.ts'
import type { Work } from '../registry.ts'
import { credentials, issueToken } from '../tokens.ts'
import type { refreshBody } from '../wire/cnh.ts'

/** A new token; the old one stays valid until it expires by itself. (Interface 4.12) */
export const refresh: Work = (call, registry) => {
  const { email, username, refreshToken } = call.body as z.output<typeof refreshBody>
  if (email === '') return emailRequired()
  const known =
    email === credentials.email && username === credentials.username && refreshToken === credentials.refreshToken
  if (!known || registry.scenario.token.refuseRefresh) return refreshRefused()
  return { status: 200, body: { email, username, token: issueToken(registry).token } }
}
