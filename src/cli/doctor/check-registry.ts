import type { Organization, RegistrySettings } from '../../../config/environment.ts'
import type { Settings } from '../../../config/settings.ts'
import { checkMailServer } from '../../notify/send-mail.ts'
import { createBound } from '../../registry/bound.ts'
import { createRegistry, type Registry } from '../../registry/create-registry.ts'
import { AccessDenied, TokenDead } from '../../registry/errors.ts'
import type { TokenVault } from '../../registry/token-keeper.ts'
import { reachOutside } from '../../registry/webhook.ts'
import { type Finding, fine, messageOf, wrong } from './checks.ts'

const TIMEOUT_MS = 10_000

/** Asks each organization for its list of analyses, which costs nothing and changes nothing. (Interface 4.6) */
export const checkRegistry = async (settings: Settings): Promise<Finding[]> => {
  if (!settings.registry) return [fine('registry', 'the built-in sandbox; set REGISTRY_URL for the real one')]
  const registry = openRegistry(settings, settings.registry)
  try {
    const findings = settings.organizations.map((organization) => checkOrganization(registry, organization))
    return [fine('registry', settings.registry.url), ...(await Promise.all(findings))]
  } finally {
    await registry.close()
  }
}

const checkOrganization = async (registry: Registry, organization: Organization): Promise<Finding> => {
  const name = organization.name ?? `organization ${organization.organizationId}`
  try {
    await registry.activities.list(organization)
    return fine('token', `accepted for ${name}`)
  } catch (error) {
    return wrong(checkOf(error), `${name}: ${messageOf(error)}`, cureOf(error))
  }
}

const checkOf = (error: unknown): string =>
  error instanceof TokenDead || error instanceof AccessDenied ? 'token' : 'registry'

const cureOf = (error: unknown): string => {
  if (error instanceof TokenDead) return tokenCure
  if (error instanceof AccessDenied) return 'Check REGISTRY_ORGANIZATION_ID and REGISTRY_HOLDER_ID.'
  return 'Check REGISTRY_URL, and that this machine can reach it.'
}

/** The fleet renews its token in the database; the one in the environment may be older. */
const tokenCure =
  'Set a new REGISTRY_TOKEN and REGISTRY_REFRESH_TOKEN, unless `vigia lanes` shows no lane held for its token.'

const openRegistry = (settings: Settings, { url, ...credentials }: RegistrySettings): Registry => {
  const request = { ...settings.request, retries: 0, timeout: Math.min(settings.request.timeout, TIMEOUT_MS) }
  return createRegistry({
    url,
    credentials,
    request,
    vault: givenToken(credentials.token),
    bound: createBound({ ceiling: 1 }),
  })
}

/** The token as it was given; only the workers renew it. */
const givenToken = (token: string): TokenVault => ({
  read: async () => ({ token, generation: 0 }),
  exchange: async () => {
    throw new TokenDead(['text', 'The registry does not accept the token'])
  },
})

/** Tries the mail server and the addresses of chats as far as that goes without sending a message. */
export const checkReceivers = async ({ alerts }: Settings): Promise<Finding[]> => {
  const { webhook, email, smtpUrl, slack, teams, allowPrivate } = alerts
  const posts = Object.entries({ webhook, slack: slack?.url, teams: teams?.url })
  return Promise.all([
    ...(email && smtpUrl ? [checkMail(smtpUrl)] : []),
    ...posts.flatMap(([name, url]) => (url ? [checkPost(`alerts.${name}`, { url, allowPrivate })] : [])),
  ])
}

const checkMail = async (smtpUrl: string): Promise<Finding> => {
  const { host } = new URL(smtpUrl)
  try {
    await checkMailServer(smtpUrl)
    return fine('mail', `${host} accepts the sign-in; \`vigia alerts test\` sends a mail`)
  } catch (error) {
    return wrong('mail', `${host}: ${messageOf(error)}`, 'Check SMTP_URL, and that this machine can reach it.')
  }
}

const checkPost = async (setting: string, address: { url: string; allowPrivate: boolean }): Promise<Finding> => {
  try {
    await reachOutside(setting, address)
    return fine('messages', `${setting} can be reached; \`vigia alerts test\` sends a message`)
  } catch (error) {
    return wrong('messages', messageOf(error), `Check ${setting}, and that this machine can reach it.`)
  }
}
