import type { Account } from '../domain/account.ts'
import { advance, sendWindowMs } from '../domain/advance.ts'
import { CallFailure, type HoldCause } from '../domain/call-failure.ts'
import { type Ending, endingOfFailure, whileJudging } from '../domain/ending.ts'
import { intentKinds, type Kind } from '../domain/kind.ts'
import type { Lookup } from '../domain/lookup.ts'
import { releaseFromJob } from '../store/due-lookups.ts'
import { readWorkable } from '../store/lookup-steps.ts'
import { beginIntents } from './begin.ts'
import type { Engine } from './engine.ts'
import { holdLane, laneAnswers } from './hold.ts'
import type { AnyLookupJob, Turn } from './lookup-job.ts'
import { createStepWriter } from './step-writer.ts'

/** The payload of a look-up job: ids only, so that nobody's document lies in a queue. */
export type ChunkPayload = { organizationId: number; kind: Kind; state: Lookup['state']; ids: string[]; probe: boolean }

/**
 * Takes each look-up of a chunk one step further.
 *
 * Intents are recorded in small groups just ahead of the calls, so that a crash leaves few of them in doubt.
 * The first ending that holds the lane stops the chunk: what was not begun goes back as it was.
 */
export const runChunk = async <Tools>(
  engine: Engine<Tools>,
  job: AnyLookupJob<Tools>,
  jobId: string,
  payload: ChunkPayload,
): Promise<void> => {
  const account = engine.accounts.find(({ organizationId }) => organizationId === payload.organizationId)
  if (!account) return forgetOrganization(engine, jobId, payload)
  const chunk = new Chunk(engine, job, jobId, payload, account)
  await chunk.run()
}

class Chunk<Tools> {
  readonly #engine: Engine<Tools>
  readonly #job: AnyLookupJob<Tools>
  readonly #jobId: string
  readonly #payload: ChunkPayload
  readonly #account: Account
  readonly #writer
  readonly #open = new Set<Promise<void>>()
  #held: { cause: HoldCause; reason: string } | null = null
  #answered = false
  #shared: unknown

  constructor(engine: Engine<Tools>, job: AnyLookupJob<Tools>, jobId: string, payload: ChunkPayload, account: Account) {
    this.#engine = engine
    this.#job = job
    this.#jobId = jobId
    this.#payload = payload
    this.#account = account
    this.#writer = createStepWriter(engine, jobId)
  }

  async run(): Promise<void> {
    try {
      await this.#feed()
    } finally {
      await Promise.all(this.#open)
      await this.#writer.end()
      await this.#release()
    }
    if (this.#held) await holdLane(this.#engine, this.#payload, this.#held.cause, this.#held.reason)
    else if (this.#payload.probe && this.#answered) await laneAnswers(this.#engine, this.#payload)
  }

  async #feed(): Promise<void> {
    const ids = this.#payload.ids.map(BigInt)
    while (ids.length > 0 && !this.#stopped()) {
      const lookups = await this.#begin(ids.splice(0, this.#intends() ? this.#window() : ids.length))
      if (lookups.length > 0 && !(await this.#prepared(lookups))) return
      for (const lookup of lookups) await this.#startWhenThereIsRoom(lookup)
    }
  }

  #intends(): boolean {
    return this.#payload.state === 'queued' && intentKinds.includes(this.#payload.kind)
  }

  #window(): number {
    return Math.max(1, this.#engine.bound.size)
  }

  #stopped(): boolean {
    return this.#held !== null || this.#engine.draining.aborted
  }

  #begin(ids: bigint[]): Promise<Lookup[]> {
    if (this.#intends()) return beginIntents(this.#engine, this.#payload, ids, this.#jobId)
    return readWorkable(this.#engine.sql, ids, this.#jobId, this.#engine.clock())
  }

  /** Once the chunk is stopped nothing more leaves; what was begun and not sent costs nothing. */
  async #startWhenThereIsRoom(lookup: Lookup): Promise<void> {
    while (this.#open.size >= this.#window() && !this.#stopped()) await Promise.race(this.#open)
    if (this.#stopped()) return this.#settle(lookup, { is: 'put_back', reason: 'the lane or the worker stopped' })
    const step = this.#step(lookup).finally(() => this.#open.delete(step))
    this.#open.add(step)
  }

  /** What the chunk shares is fetched once, when the first look-up needs it; if that fails, it fails them all. */
  async #prepared(lookups: Lookup[]): Promise<boolean> {
    if (!this.#job.prepare || this.#shared !== undefined) return true
    try {
      this.#shared = await this.#job.prepare(lookups, this.#turn(undefined))
      return true
    } catch (error) {
      for (const lookup of lookups) this.#settle(lookup, endingOfError(error, 'nothing was sent'))
      return false
    }
  }

  async #step(lookup: Lookup): Promise<void> {
    try {
      this.#settle(lookup, await this.#job.each(lookup, this.#turn(lookup), this.#shared))
    } catch (error) {
      if (!(error instanceof CallFailure))
        this.#engine.log.error({ lookup: String(lookup.id), err: error }, 'step failed')
      this.#settle(lookup, endingOfError(error))
    }
  }

  #settle(lookup: Lookup, how: Ending): void {
    if (how.is === 'held') this.#held ??= how
    const ending = this.#payload.state === 'sending' ? whileJudging(how) : how
    if (ending.is === 'ok' || ending.is === 'accepted' || ending.is === 'later') this.#answered = true
    const patience = { ...this.#engine.patience(lookup.kind), retries: this.#job.retries }
    this.#writer.add(advance(lookup, ending, patience, this.#engine.clock()))
  }

  #turn(lookup: Lookup | undefined): Tools & Turn {
    const { requestTimeoutMs } = this.#engine.patience(this.#payload.kind)
    const intent = lookup?.state === 'sending' && this.#payload.state === 'queued' ? lookup.sendingAt : null
    const sendBefore = intent ? new Date(intent.getTime() + sendWindowMs(requestTimeoutMs)) : undefined
    const { tools, draining, giveUp, clock } = this.#engine
    // A spending call that is cut off is in doubt, so it may end by itself; any other is simply asked again.
    const signal = intent ? giveUp : draining
    return { ...tools, account: this.#account, signal, now: clock(), sendBefore }
  }

  async #release(): Promise<void> {
    const ids = this.#payload.ids.map(BigInt)
    await releaseFromJob(this.#engine.sql, ids, this.#jobId, this.#engine.clock())
  }
}

const endingOfError = (error: unknown, unsent?: string): Ending => {
  if (error instanceof CallFailure) {
    const ending = endingOfFailure(error)
    return unsent && ending.is === 'silence' ? { ...ending, is: 'not_sent' } : ending
  }
  const reason = `unexpected ${error instanceof Error ? error.name : 'error'}`
  return { is: unsent ? 'not_sent' : 'silence', reason, retryAfterMs: undefined }
}

/** An organization that left the settings keeps its look-ups; they wait until it is back, or until their deadline. */
const forgetOrganization = async <Tools>(
  engine: Engine<Tools>,
  jobId: string,
  payload: ChunkPayload,
): Promise<void> => {
  const later = new Date(engine.clock().getTime() + 60_000)
  await releaseFromJob(engine.sql, payload.ids.map(BigInt), jobId, later)
  engine.log.error({ organization: payload.organizationId }, 'organization is not in the settings')
}
