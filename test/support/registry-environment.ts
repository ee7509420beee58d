import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { accounts, credentials } from '../../src/sandbox/tokens.ts'

/** The environment that selects a sandbox; one that is given by its address has the shared token and organization. */
export const registryEnvironment = (
  sandbox: Pick<Sandbox, 'url'> & Partial<Pick<Sandbox, 'credentials' | 'account'>>,
): Record<string, string> => {
  const { token, refreshToken, email, username } = sandbox.credentials ?? credentials
  const { organizationId, holderId, planId } = sandbox.account ?? accounts[0]
  return {
    REGISTRY_URL: sandbox.url,
    REGISTRY_TOKEN: token,
    REGISTRY_REFRESH_TOKEN: refreshToken,
    REGISTRY_EMAIL: email,
    REGISTRY_USERNAME: username,
    REGISTRY_ORGANIZATION_ID: String(organizationId),
    REGISTRY_HOLDER_ID: String(holderId),
    REGISTRY_PLAN_ID: String(planId),
  }
}
