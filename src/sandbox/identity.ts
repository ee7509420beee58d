import type { Account } from '../domain/account.ts'

/** Who the sandbox knows: one caller with two organizations, each with its own holder and plan. */
export const accounts: readonly [Account, Account] = [
  { organizationId: 7001, holderId: 501, planId: 31 },
  { organizationId: 7002, holderId: 502, planId: 32 },
]

/** An organization that exists, but that the caller may not use. */
export const foreignAccount: Account = { organizationId: 7999, holderId: 599, planId: 39 }

export type Credentials = { token: string; refreshToken: string; email: string; username: string }

/** What the sandbox accepts from the first moment; not a secret, it opens nothing but a sandbox. */
export const credentials: Credentials = {
  token: 'sandbox-access-1',
  refreshToken: 'sandbox-refresh',
  email: 'vigia@sandbox.invalid',
  username: 'vigia',
}

/** A caller without an e-mail address: inactivation answers it with "email required". (Interface 7) */
export const tokenWithoutEmail = 'sandbox-access-without-email'

export const accountOf = (organizationId: number): Account | undefined =>
  accounts.find((account) => account.organizationId === organizationId)

export const accountOfPlan = (planId: number): Account | undefined =>
  accounts.find((account) => account.planId === planId)
