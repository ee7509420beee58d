import { z } from 'zod'
import { parseDuration } from '../domain/duration.ts'
import { MessageError } from '../messages/message.ts'
import { recordAudit } from '../store/people/audit.ts'
import {
  changeRole,
  createToken,
  deleteOperator,
  hashSecret,
  insertOperator,
  isOperatorName,
  listOperators,
  type Operator,
  roles,
} from '../store/people/operators.ts'
import { iso, moment } from '../views/fields.ts'
import { noOrganization } from './files.ts'
import { type Context, defineOperation, id } from './operation.ts'

const name = z
  .string()
  .trim()
  .refine(isOperatorName, {
    error: 'a name has up to 60 letters, digits, spaces and . _ @ -, begins with a letter or digit, and is not "local"',
  })
  .describe('who it is, as shown in the audit log')

const role = z.enum(roles)

const operator = z.object({
  name: z.string(),
  role,
  organizations: z.array(z.int()).nullable().describe('null: all organizations'),
  expires: moment.nullable().describe('when the token expires; null: never'),
})

export const operatorShown = operator.extend({ added: moment })
export type OperatorShown = z.output<typeof operatorShown>

const toOperator = ({ name, role, organizations, expiresAt }: Omit<Operator, 'createdAt'>) => ({
  name,
  role,
  organizations: organizations?.map(Number) ?? null,
  expires: iso(expiresAt),
})

/** An action on an existing operator. An administrator who removed themself could lock everybody out. */
const changing = async ({ sql, by }: Context, name: string, what: string, detail: { role?: string } = {}) => {
  if (name === by) throw new OperatorRefusal(['operator_self'])
  await sql.begin(async (tx) => {
    const changed = await (detail.role ? changeRole(tx, name, role.parse(detail.role)) : deleteOperator(tx, name))
    if (!changed) throw new OperatorRefusal(['no_operator', name])
    await recordAudit(tx, by, what, name, detail)
  })
}

/** Who may use the page and the API, and in which role. */
export const operatorOperations = {
  list: defineOperation('listOperators', 'admin', 'GET /operators', {
    summary: 'The operators, their roles and organizations',
    output: z.object({ operators: z.array(operatorShown) }),
    run: async ({ sql }) => ({
      operators: (await listOperators(sql)).map((each) => ({ ...toOperator(each), added: iso(each.createdAt) })),
    }),
  }),
  add: defineOperation('addOperator', 'admin', 'POST /operators', {
    summary: 'Adds an operator; the token is in the answer and nowhere else',
    input: z.strictObject({
      name,
      role: role.describe(`what they may do: ${roles.join(', ')} (required)`),
      organization: z
        .array(id)
        .min(1)
        .optional()
        .describe('limit them to this organization; may be repeated (default: all organizations)'),
      expires: z
        .string()
        .regex(/^\d{1,8}(ms|s|m|h|d)$/, 'expected a span such as 90d')
        .optional()
        .describe('how long the token is valid, such as 90d (default: forever)'),
    }),
    output: operator.extend({ token: z.string() }),
    async run({ sql, by, clock, accounts }, { name, role, organization, expires }) {
      const strange = organization?.find((id) => !accounts.some(({ organizationId }) => BigInt(organizationId) === id))
      if (strange !== undefined) throw noOrganization(accounts, strange)
      const token = createToken()
      const expiresAt = expires ? new Date(clock().getTime() + parseDuration(expires)) : null
      const made = { name, role, organizations: organization ?? null, expiresAt }
      const { name: _, ...detail } = toOperator(made)
      await sql.begin(async (tx) => {
        if (!(await insertOperator(tx, { ...made, tokenHash: hashSecret(token) })))
          throw new OperatorRefusal(['operator_exists', name])
        await recordAudit(tx, by, 'add operator', name, detail)
      })
      return { name, ...detail, token }
    },
  }),
  changeRole: defineOperation('changeRole', 'admin', 'POST /operators/role', {
    summary: 'Changes the role of an operator, in open sessions too',
    input: z.strictObject({ name: z.string().max(60), role }),
    output: z.object({ name: z.string(), role }),
    async run(context, { name, role }) {
      await changing(context, name, 'change role', { role })
      return { name, role }
    },
  }),
  remove: defineOperation('removeOperator', 'admin', 'POST /operators/remove', {
    summary: 'Removes an operator; ends their token and sessions',
    input: z.strictObject({ name: z.string().max(60) }),
    output: z.object({ name: z.string(), removed: z.boolean() }),
    async run(context, { name }) {
      await changing(context, name, 'remove operator')
      return { name, removed: true }
    },
  }),
}

/** A change of an operator that is not possible; the message says why. */
class OperatorRefusal extends MessageError {
  override readonly name = 'OperatorRefusal'
}
