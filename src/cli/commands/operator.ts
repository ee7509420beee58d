import { recordAudit } from '../../store/people/audit.ts'
import { deleteOperator, insertOperator, listOperators, type Role, roles } from '../../store/people/operators.ts'
import { createToken, hashSecret } from '../../web/access/visitor.ts'
import type { CommandDefinition, CommandGroup } from '../command.ts'
import { CommandFailure, UsageError } from '../command.ts'
import { whoCalls } from '../context.ts'
import { renderTable } from '../lines/table.ts'
import { localMoment } from '../lines/wording.ts'
import { openContext } from '../open.ts'

const nameArgument = { name: '<name>', about: 'who it is; it stands in the audit log' }

const add: CommandDefinition<{ role?: Role }> = {
  arguments: [nameArgument],
  options: [{ flags: '--role <role>', about: `what they may do: ${roles.join(', ')}`, parse: readRole }],
  examples: [
    { line: 'vigia operator add ana --role ops', about: 'Ana hands in files and steers batches' },
    { line: 'vigia operator add bruno --role analyst', about: 'Bruno reads and downloads' },
  ],

  async run(context, [text], { role }) {
    const name = readName(text!)
    if (!role) throw new UsageError(`--role says what they may do: ${roles.join(', ')}`)
    await using opened = await openContext(context.env)
    const token = createToken()
    if (!(await insertOperator(opened.sql, { name, role, tokenHash: hashSecret(token) }))) {
      throw new CommandFailure(
        `There is an operator ${name} already: \`vigia operator remove ${name}\` first, for a new token`,
      )
    }
    await recordAudit(opened.sql, whoCalls(), 'add operator', name, { role })
    context.print(
      { name, role, token },
      () => `${name} signs in with this token; it is shown only now:\n\n  ${token}\n`,
    )
    return 0
  },
}

const list: CommandDefinition = {
  examples: [{ line: 'vigia operator list', about: 'Who may use the page' }],

  async run(context) {
    await using opened = await openContext(context.env)
    const operators = await listOperators(opened.sql)
    const cells = operators.map(({ name, role, createdAt }) => [
      name,
      role,
      localMoment(createdAt.toISOString(), opened.settings.timezone),
    ])
    context.print(
      { operators: operators.map(({ createdAt, ...rest }) => ({ ...rest, added: createdAt.toISOString() })) },
      () =>
        cells.length > 0
          ? renderTable(columns, cells, context.stdout.columns)
          : 'No operators: on this machine the worker prints a sign-in link.',
    )
    return 0
  },
}

const remove: CommandDefinition = {
  arguments: [nameArgument],
  examples: [{ line: 'vigia operator remove ana', about: 'Her token and her sessions end at once' }],

  async run(context, [name]) {
    await using opened = await openContext(context.env)
    if (!(await deleteOperator(opened.sql, name!))) {
      throw new CommandFailure(`There is no operator ${name}: \`vigia operator list\` names them`)
    }
    await recordAudit(opened.sql, whoCalls(), 'remove operator', name!)
    context.print({ name, removed: true }, () => `${name} can no longer sign in.`)
    return 0
  },
}

/** The people who use the page from elsewhere, or under their own name. */
export const operator: CommandGroup = {
  commands: [
    {
      name: 'add',
      summary: 'let someone use the page; shows their token once',
      load: async () => add as CommandDefinition,
    },
    { name: 'list', summary: 'who may use the page', load: async () => list },
    { name: 'remove', summary: 'end someone’s token and sessions', load: async () => remove },
  ],
}

const columns = [{ title: 'NAME' }, { title: 'ROLE' }, { title: 'ADDED' }]

function readRole(text: string): Role {
  const role = roles.find((known) => known === text)
  if (role) return role
  throw new UsageError(`--role takes ${roles.join(', ')}, not "${text}"`)
}

/** `local` is whoever holds the terminal of the machine. */
const readName = (text: string): string => {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,59}$/u.test(text) && text !== 'local') return text
  throw new UsageError(
    'a name has up to 60 letters, digits, spaces and . _ @ -, begins with a letter or digit, and is not "local"',
  )
}
