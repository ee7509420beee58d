import { recordAudit } from '../../store/people/audit.ts'
import {
  deleteOperator,
  insertOperator,
  isOperatorName,
  listOperators,
  type Role,
  roles,
} from '../../store/people/operators.ts'
import { createToken, hashSecret } from '../../web/access/visitor.ts'
import type { CommandDefinition, CommandGroup } from '../command.ts'
import { CommandFailure, UsageError } from '../command.ts'
import { whoCalls } from '../context.ts'
import { localMoment } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openContext } from '../open.ts'
import { chooseOrganization, integerOption, timeSpan } from '../options.ts'

const nameArgument = { name: '<name>', about: 'who it is, as shown in the audit log' }

type AddOptions = { role?: Role; organization?: number[]; expires?: number }

const add: CommandDefinition<AddOptions> = {
  arguments: [nameArgument],
  options: [
    { flags: '--role <role>', about: `what they may do: ${roles.join(', ')} (required)`, parse: readRole },
    {
      flags: '--organization <id>',
      about: 'limit them to this organization; may be repeated (default: all organizations)',
      parse: (text: string, before: unknown): number[] => [
        ...((before as number[] | undefined) ?? []),
        integerOption('--organization', 1)(text),
      ],
    },
    {
      flags: '--expires <duration>',
      about: 'how long the token is valid, such as 90d (default: forever)',
      parse: timeSpan('--expires'),
    },
  ],
  examples: [
    { line: 'vigia operator add ana --role ops', about: 'Ana submits files and manages batches' },
    { line: 'vigia operator add bruno --role analyst', about: 'Bruno reads and downloads' },
    {
      line: 'vigia operator add carla --role ops --organization 7001 --expires 90d',
      about: 'Carla works for organization 7001 only, and needs a new token in 90 days',
    },
  ],

  async run(context, [text], { role, organization, expires }) {
    const name = readName(text!)
    if (!role) throw new UsageError(`--role is required: ${roles.join(', ')}`)
    await using opened = await openContext(context.env)
    for (const id of organization ?? []) chooseOrganization(opened.settings, id)
    const token = createToken()
    const organizations = organization?.map(BigInt) ?? null
    const expiresAt = expires === undefined ? null : new Date(opened.clock().getTime() + expires)
    const made = { name, role, organizations, expiresAt, tokenHash: hashSecret(token) }
    if (!(await insertOperator(opened.sql, made))) {
      throw new CommandFailure(
        `Operator ${name} exists already. For a new token, run \`vigia operator remove ${name}\` first`,
      )
    }
    const bounds = { organizations: organization ?? null, expires: expiresAt?.toISOString() ?? null }
    await recordAudit(opened.sql, whoCalls(), 'add operator', name, { role, ...bounds })
    context.print(
      { name, role, ...bounds, token },
      () => `${name} signs in with this token, which is not shown again:\n\n  ${token}\n`,
    )
    return 0
  },
}

const list: CommandDefinition = {
  examples: [{ line: 'vigia operator list', about: 'List who may use the page' }],

  async run(context) {
    await using opened = await openContext(context.env)
    const operators = await listOperators(opened.sql)
    const { timezone } = opened.settings
    const shown = operators.map(({ name, role, organizations, expiresAt, createdAt }) => ({
      name,
      role,
      organizations: organizations?.map(Number) ?? null,
      expires: expiresAt?.toISOString() ?? null,
      added: createdAt.toISOString(),
    }))
    const cells = shown.map(({ name, role, organizations, expires, added }) => [
      name,
      role,
      organizations?.join(', ') ?? 'all',
      expires ? localMoment(expires, timezone) : 'never',
      localMoment(added, timezone),
    ])
    context.print({ operators: shown }, () =>
      cells.length > 0
        ? renderTable(columns, cells, context.stdout.columns)
        : 'No operators: `vigia worker` prints a sign-in link for this machine.',
    )
    return 0
  },
}

const remove: CommandDefinition = {
  arguments: [nameArgument],
  examples: [{ line: 'vigia operator remove ana', about: 'End her token and her sessions at once' }],

  async run(context, [name]) {
    await using opened = await openContext(context.env)
    if (!(await deleteOperator(opened.sql, name!))) {
      throw new CommandFailure(`Operator ${name} not found: \`vigia operator list\` lists them`)
    }
    await recordAudit(opened.sql, whoCalls(), 'remove operator', name!)
    context.print({ name, removed: true }, () => `${name} can no longer sign in.`)
    return 0
  },
}

/** The people who use the page from other machines, or under their own name. */
export const operator: CommandGroup = {
  commands: [
    {
      name: 'add',
      summary: 'add an operator; shows their token once',
      load: async () => add as CommandDefinition,
    },
    { name: 'list', summary: 'list the operators', load: async () => list },
    { name: 'remove', summary: 'remove an operator; ends their token and sessions', load: async () => remove },
  ],
}

const columns = ['NAME', 'ROLE', 'ORGANIZATIONS', 'EXPIRES', 'ADDED'].map((title) => ({ title }))

function readRole(text: string): Role {
  const role = roles.find((known) => known === text)
  if (role) return role
  throw new UsageError(`--role takes ${roles.join(', ')}, not "${text}"`)
}

const readName = (text: string): string => {
  if (isOperatorName(text)) return text
  throw new UsageError(
    'a name has up to 60 letters, digits, spaces and . _ @ -, begins with a letter or digit, and is not "local"',
  )
}
