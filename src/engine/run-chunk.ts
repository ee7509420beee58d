import { advance, sendWindowMs } from '../domain/advance.ts'
import { CallFailure } from '../domain/call-failure.ts'
import { asNotSent, type Ending, endingOf, whileJudging } from '../domain/ending.ts'
import { intentKinds, type Kind } from '../domain/kind.ts'
import type { Account, Lookup } from '../domain/lookup.ts'
import type { Clearance } from '../purchases/look-first.ts'
import { releaseFromJob } from '../store/lookups/due-lookups.ts'
import { readWorkable } from '../store/lookups/lookup-steps.ts'
import { beginIntents } from './begin.ts'
import type { Engine } from './engine.ts'
import { holdLane, laneAnswers } from './hold.ts'
import type { AnyLookupJob, Turn } from './lookup-job.ts'
import { createStepWriter } from './step-writer.ts'

type HoldEnding = Extract<Ending, { is: 'held' }>

/** The payload of a look-up job: ids only, so that nobody's document lies in a queue. */
export type ChunkPayload = { organizationId: number; kind: Kind; state: Lookup['state']; ids: string[]; probe: boolean }

/**
 * Takes each look-up of a chunk one step further.
 *
 * Intents are recorded in small groups just ahead of the calls, so that a crash leaves few of them in doubt.
 * The first ending that holds the lane stops every chunk of it: what was not begun goes back as it was.
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
  readonly #gate
  readonly #open = new Set<Promise<void>>()
  #held: Promise<void> | null = null
  #answered = false
  #shared: unknown

  constructor(engine: Engine<Tools>, job: AnyLookupJob<Tools>, jobId: string, payload: ChunkPayload, account: Account) {
    this.#engine = engine
    this.#job = job
    this.#jobId = jobId
    this.#payload = payload
    this.#account = account
    this.#writer = createStepWriter(engine, jobId)
    this.#gate = engine.gateOf(payload)
  }

  async run(): Promise<void> {
    try {
      await this.#feed()
    } finally {
      await Promise.all(this.#open)
      await this.#writer.end()
      await this.#release()
    }
    if (this.#held) await this.#held
    else if (this.#payload.probe && this.#answered) await laneAnswers(this.#engine, this.#payload)
  }

  async #feed(): Promise<void> {
    const lookups = await this.#workable(this.#payload.ids.map(BigInt))
    if (lookups.length === 0) return
    if (!this.#intends()) return this.#workThrough(lookups)
    const { lookFirst, draining } = this.#engine
    const clearance = await lookFirst(this.#account, this.#payload.kind, lookups, draining)
    if (clearance) await this.#sendInGroups(clearance)
  }

  /** Places are taken before intents are recorded: what is on record leaves at once. */
  async #sendInGroups({ toBuy, server, holds }: Clearance): Promise<void> {
    const ids = toBuy.map(({ id }) => id)
    while (ids.length > 0 && !this.#stopped() && holds()) {
      const places = await this.#engine.slots.take(ids.length, this.#engine.draining)
      const begun = this.#begin(ids.splice(0, places), server)
      const lookups = await begun.catch((error) => this.#giveAll(places, error))
      this.#engine.slots.give(places - lookups.length)
      const prepared = lookups.length > 0 && (await this.#prepared(lookups))
      for (const lookup of lookups) prepared ? this.#start(lookup) : this.#engine.slots.give(1)
      if (lookups.length > 0 && !prepared) return
    }
  }

  async #workThrough(lookups: Lookup[]): Promise<void> {
    if (!(await this.#prepared(lookups))) return
    while (lookups.length > 0 && !this.#stopped()) {
      const places = await this.#engine.slots.take(lookups.length, this.#engine.draining)
      for (const lookup of lookups.splice(0, places)) this.#start(lookup)
    }
  }

  #intends(): boolean {
    return this.#payload.state === 'queued' && intentKinds.includes(this.#payload.kind)
  }

  #stopped(): boolean {
    return this.#gate.isClosed || this.#engine.draining.aborted
  }

  /** In the order in which they were handed out: the first of a file come first. */
  async #workable(ids: bigint[]): Promise<Lookup[]> {
    const places = new Map(ids.map((id, place) => [id, place]))
    const lookups = await readWorkable(this.#engine.sql, ids, this.#jobId, this.#engine.clock())
    return lookups.sort((a, b) => places.get(a.id)! - places.get(b.id)!)
  }

  #begin(ids: bigint[], server: string): Promise<Lookup[]> {
    if (ids.length === 0) return Promise.resolve([])
    return beginIntents(this.#engine, this.#payload, ids, this.#jobId, server)
  }

  #giveAll(places: number, error: unknown): never {
    this.#engine.slots.give(places)
    throw error
  }

  /** Once the chunk is stopped nothing more leaves; what was begun and not sent costs nothing. */
  #start(lookup: Lookup): void {
    const step = this.#step(lookup).finally(() => {
      this.#open.delete(step)
      this.#engine.slots.give(1)
    })
    this.#open.add(step)
  }

  /** What the chunk shares is fetched once, when the first look-up needs it; if that fails, it fails them all. */
  async #prepared(lookups: Lookup[]): Promise<boolean> {
    if (!this.#job.prepare || this.#shared !== undefined) return true
    try {
      this.#shared = await this.#job.prepare(lookups, this.#turn(undefined))
      return true
    } catch (error) {
      for (const lookup of lookups) this.#settle(lookup, asNotSent(endingOf(error)))
      return false
    }
  }

  async #step(lookup: Lookup): Promise<void> {
    if (this.#stopped()) return this.#settle(lookup, stoppedUnderway)
    try {
      this.#settle(lookup, await this.#job.each(lookup, this.#turn(lookup), this.#shared))
    } catch (error) {
      if (!(error instanceof CallFailure)) this.#engine.log.error({ lookup: `${lookup.id}`, err: error }, 'step failed')
      this.#settle(lookup, this.#cutOff(lookup) ? stoppedUnderway : endingOf(error))
    }
  }

  /** The worker stops and lets go of calls that are free to repeat; that is no failure of theirs. */
  #cutOff(lookup: Lookup): boolean {
    return this.#engine.draining.aborted && lookup.state !== 'sending'
  }

  #settle(lookup: Lookup, how: Ending): void {
    if (how.is === 'held') this.#held ??= this.#hold(how)
    const ending = this.#payload.state === 'sending' ? whileJudging(how) : how
    if (answers.includes(ending.is)) this.#answered = true
    const patience = { ...this.#engine.patience(lookup.kind), retries: this.#job.retries }
    this.#writer.add(advance(lookup, ending, patience, this.#engine.clock()))
  }

  #hold(how: HoldEnding): Promise<void> {
    this.#gate.close()
    return holdLane(this.#engine, this.#payload, how)
      .catch((error) => this.#engine.log.error({ cause: how.cause, err: error }, 'lane could not be held'))
      .finally(() => this.#gate.replace())
  }

  #turn(lookup: Lookup | undefined): Tools & Turn {
    const { requestTimeoutMs } = this.#engine.patience(this.#payload.kind)
    const intent = lookup?.state === 'sending' && this.#payload.state === 'queued' ? lookup.sendingAt : null
    const sendBefore = intent ? new Date(intent.getTime() + sendWindowMs(requestTimeoutMs)) : undefined
    const { tools, draining, giveUp, clock } = this.#engine
    // A spending call that is cut off is in doubt, so it may end by itself; any other is simply asked again.
    const signal = intent ? giveUp : draining
    return { ...tools, account: this.#account, now: clock(), call: { signal, sendBefore, gate: this.#gate } }
  }

  async #release(): Promise<void> {
    const ids = this.#payload.ids.map(BigInt)
    await releaseFromJob(this.#engine.sql, ids, this.#jobId, this.#engine.clock())
  }
}

/** Endings that show that the registry is there again; its list is as good an answer as any. */
const answers: Ending['is'][] = ['ok', 'accepted', 'later', 'adopted', 'absent', 'unproven', 'undecided']

const stoppedUnderway: Ending = { is: 'put_back', reason: 'the lane or the worker stopped' }

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
