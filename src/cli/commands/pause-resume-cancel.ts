import { batchOperations } from '../../operations/batches.ts'
import { renderStatus } from '../lines/batch.ts'
import { operationCommand } from '../operation-command.ts'

/** A command that does one action to a batch and shows its new status; the engine follows within two seconds. */
const steeringCommand = (name: 'confirm' | 'pause' | 'resume' | 'cancel', about: string) =>
  operationCommand(batchOperations[name], {
    arguments: [{ name: '<id>', about: 'the number of a batch' }],
    flags: [],
    examples: [{ line: `vigia ${name} 12`, about }],
    lines: (status, { settings }) => renderStatus(status, settings),
  })

export const confirm = steeringCommand('confirm', 'Approve a batch above budget.confirmAbove')
export const pause = steeringCommand('pause', 'Send nothing new; what was paid for is still fetched')
export const resume = steeringCommand('resume', 'Resume where it stopped')
export const cancel = steeringCommand('cancel', 'End what was not sent yet, and report every row')
