import { cancelBatch, confirmBatch, pauseBatch, resumeBatch, type Steering } from '../../batches/pause-resume-cancel.ts'
import { readStatus } from '../../batches/status.ts'
import type { Database } from '../../store/connect.ts'
import { completeStatus } from '../../views/batch-status.ts'
import type { CommandDefinition } from '../command.ts'
import { renderStatus } from '../lines/batch.ts'
import { openContext } from '../open.ts'
import { openSteering } from '../open-queues.ts'
import { readBatchId } from '../options.ts'

type Steer = (sql: Database, id: bigint, steering: Steering) => Promise<unknown>

/** A command that does one action to a batch and shows its new status; the engine follows within two seconds. */
const steeringCommand = (name: string, about: string, steer: Steer): CommandDefinition => ({
  arguments: [{ name: '<id>', about: 'the number of a batch' }],
  examples: [{ line: `vigia ${name} 12`, about }],

  async run(context, [text]) {
    const id = readBatchId(text!)
    await using opened = await openContext(context.env)
    await using steering = await openSteering(opened, id)
    await steer(opened.sql, id, steering.steering)
    const { sql, settings } = opened
    const status = await completeStatus(sql, await readStatus(sql, id, new Date()), settings.budget.unitPrice)
    context.print(status, () => renderStatus(status, settings))
    return 0
  },
})

export const confirm = steeringCommand('confirm', 'Approve a batch above budget.confirmAbove', confirmBatch)
export const pause = steeringCommand('pause', 'Send nothing new; what was paid for is still fetched', pauseBatch)
export const resume = steeringCommand('resume', 'Resume where it stopped', resumeBatch)
export const cancel = steeringCommand('cancel', 'End what was not sent yet, and report every row', cancelBatch)
