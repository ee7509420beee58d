import { operatorOperations } from '../../operations/operators.ts'
import type { CommandGroup } from '../command.ts'
import { operationCommand } from '../operation-command.ts'

const named = {
  arguments: [{ name: '<name>', about: 'who it is, as shown in the audit log' }],
  inputOf: ([name]: string[]) => ({ name }),
}

const add = operationCommand(operatorOperations.add, {
  ...named,
  flags: ['role', 'organization', 'expires'],
  examples: [
    { line: 'vigia operator add ana --role ops', about: 'Ana submits files and manages batches' },
    { line: 'vigia operator add bruno --role analyst', about: 'Bruno reads and downloads' },
    {
      line: 'vigia operator add carla --role ops --organization 7001 --expires 90d',
      about: 'Carla works for organization 7001 only, and needs a new token in 90 days',
    },
  ],
  lines: ({ name, token }) => `${name} signs in with this token, which is not shown again:\n\n  ${token}\n`,
})

const list = operationCommand(operatorOperations.list, {
  examples: [{ line: 'vigia operator list', about: 'List who may use the page' }],
  lines: ({ operators }, { at, table }) =>
    table(
      operators,
      [
        ['NAME', ({ name }) => name],
        ['ROLE', ({ role }) => role],
        ['ORGANIZATIONS', ({ organizations }) => organizations?.join(', ') ?? 'all'],
        ['EXPIRES', ({ expires }) => (expires ? at(expires) : 'never')],
        ['ADDED', ({ added }) => at(added)],
      ],
      'No operators: `vigia worker` prints a sign-in link for this machine.',
    ),
})

const remove = operationCommand(operatorOperations.remove, {
  ...named,
  flags: [],
  examples: [{ line: 'vigia operator remove ana', about: 'End her token and her sessions at once' }],
  lines: ({ name }) => `${name} can no longer sign in.`,
})

/** The people who use the page from other machines, or under their own name. */
export const operator: CommandGroup = {
  commands: [
    { name: 'add', summary: 'add an operator; shows their token once', load: async () => add },
    { name: 'list', summary: 'list the operators', load: async () => list },
    { name: 'remove', summary: 'remove an operator; ends their token and sessions', load: async () => remove },
  ],
}
