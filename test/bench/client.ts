import { createReadStream } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { submitFile } from '../../src/batches/submit.ts'
import { createLog } from '../../src/log/log.ts'
import { inEnglish } from '../../src/messages/message.ts'
import { openSender } from '../../src/queue/boss.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
import { type Batch, readBatch } from '../../src/store/batches/batches.ts'
import { connect, type Database } from '../../src/store/connect.ts'
import { submissionOf } from '../support/submission.ts'

/** A client that submits files to the running workers and waits for their results. */
export type Client = AsyncDisposable & {
  sql: Database
  submit(path: string, options?: { confirmAbove: number | null }): Promise<bigint>
  until(batchId: bigint, holds: (batch: Batch) => unknown, everyMs?: number): Promise<Batch>
}

export const openClient = async (databaseUrl: string): Promise<Client> => {
  const sql = connect(databaseUrl, { max: 2, name: 'vigia bench', hasSession: true })
  const { boss, ...sender } = await openSender(databaseUrl, createLog({ level: 'warn' }))
  return {
    sql,
    async submit(path, { confirmAbove } = { confirmAbove: null }) {
      const submission = submissionOf('', accounts[0].organizationId, {
        confirmAbove,
        bytes: createReadStream(path),
        freshSince: new Date(0),
      })
      return (await submitFile(sql, boss, submission)).batchId
    },
    async until(batchId, holds, everyMs = 10) {
      const giveUpAt = performance.now() + timeoutMs
      while (performance.now() < giveUpAt) {
        const batch = await readBatch(sql, batchId)
        if (batch && holds(batch)) return batch
        if (batch?.message) throw new Error(`Batch ${batchId} was rejected: ${inEnglish(batch.message)}`)
        await pause(everyMs)
      }
      throw new Error(`Batch ${batchId} is still not where it should be after ${timeoutMs / 60_000} minutes`)
    },
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]()
      await sql.end()
    },
  }
}

const timeoutMs = 10 * 60_000
