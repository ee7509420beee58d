import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { Message } from '../../domain/messages/message.ts'
import { FileProblem } from '../file-problem.ts'
import { createFeed, type Feed } from './feed.ts'
import type { FromThread, ThreadEnd, ToThread } from './file-thread.ts'

/** What reading one file may take of a thread; time in which it waits for the bytes does not count. */
export type ThreadLimits = {
  milliseconds: number
  /** More for large files: for each MiB that was given out. */
  millisecondsPerMiB: number
  heapMiB: number
}

export const threadLimits: ThreadLimits = { milliseconds: 60_000, millisecondsPerMiB: 1_000, heapMiB: 256 }

type ThreadJob = {
  /** The module that is run in the thread: it exports a ThreadTask as `read`. */
  module: URL
  input: unknown
  open: () => AsyncIterable<Uint8Array>
  limits?: ThreadLimits | undefined
}

/**
 * Reads a stranger's file in a thread of its own, with a limit of time and memory: whatever is wrong with the file ends
 * the thread and becomes a FileProblem, while this process goes on.
 */
export const readInThread = <Output>(job: ThreadJob): Promise<Output> => inTurn(() => readAlone<Output>(job))

/** Each thread may take its share of memory. */
const inTurn = pLimit(4)

const readAlone = async <Output>({ module, input, open, limits = threadLimits }: ThreadJob): Promise<Output> => {
  const thread = takeThread(limits)
  const ended = Promise.withResolvers<Output>()
  let isSound = false
  const feed = createFeed(open, (message, moved) => thread.postMessage(message, moved), ended.reject)
  const deadline = createDeadline(limits, feed, () => ended.reject(slow(limits, feed)))
  const end = (message: ThreadEnd): void => {
    isSound = true
    if ('output' in message) ended.resolve(message.output as Output)
    else ended.reject('problem' in message ? problemOf(message.problem) : errorOf(message.error))
  }
  const hear = (message: FromThread): void => {
    if ('begun' in message) deadline.begin()
    else if ('next' in message) void feed.next(message.next)
    else if ('close' in message) void feed.close(message.close)
    else end(message)
  }
  const fail = (error: unknown) => ended.reject(isOutOfMemory(error) ? large(limits) : error)
  const leave = () => ended.reject(new Error('The thread that read the file ended'))
  thread.on('message', hear).on('error', fail).on('exit', leave)
  thread.postMessage({ module: module.href, input } satisfies ToThread)
  try {
    return await ended.promise
  } finally {
    deadline.end()
    thread.off('message', hear).off('error', fail).off('exit', leave)
    await feed.end()
    await (isSound && isUsual(limits) && feed.bytes() < largeFile ? keepThread(thread) : thread.terminate())
  }
}

/** Loading a thread takes longer than most files: one waits for the next file, and keeps no process alive. */
let kept: Worker | undefined
let letGo: NodeJS.Timeout | undefined

const takeThread = (limits: ThreadLimits): Worker => {
  const thread = isUsual(limits) ? kept : undefined
  if (!thread) return startThread(limits)
  kept = undefined
  clearTimeout(letGo)
  thread.ref()
  return thread
}

const keepThread = async (thread: Worker): Promise<void> => {
  if (kept) return void (await thread.terminate())
  thread.unref()
  kept = thread
  letGo = setTimeout(() => {
    kept = undefined
    void thread.terminate()
  }, keptFor).unref()
}

const keptFor = 60_000
/** Bytes after which a thread has grown so much that its memory is worth more than its start. */
const largeFile = 1024 ** 2

/** The memory of a thread is fixed when it starts, its time is not. */
const isUsual = ({ heapMiB }: ThreadLimits): boolean => heapMiB === threadLimits.heapMiB

const startThread = ({ heapMiB }: ThreadLimits): Worker => {
  const resourceLimits = { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 16 }
  const thread = new Worker(new URL('./file-thread.ts', import.meta.url), { resourceLimits, env: threadEnv() })
  thread.on('error', () => {})
  thread.on('exit', () => {
    if (kept === thread) kept = undefined
  })
  return thread
}

/** A thread has no part in the compile cache of its process unless it is told: without, it compiles for 45 MiB more. */
const threadEnv = (): NodeJS.ProcessEnv => {
  const cache = getCompileCacheDir()
  return cache ? { ...process.env, NODE_COMPILE_CACHE: dirname(cache) } : process.env
}

/** Counts from when the thread has loaded what it runs. */
const createDeadline = (limits: ThreadLimits, feed: Feed, pass: () => void) => {
  let timer: NodeJS.Timeout | undefined
  let begunAt = 0
  const look = (): void => {
    const left = allowed(limits, feed) - (performance.now() - begunAt - feed.waitedMs())
    if (left <= 0) pass()
    else timer = setTimeout(look, left)
  }
  return {
    begin() {
      begunAt = performance.now() - feed.waitedMs()
      look()
    },
    end: () => clearTimeout(timer),
  }
}

const allowed = ({ milliseconds, millisecondsPerMiB }: ThreadLimits, { bytes }: Feed): number =>
  milliseconds + (bytes() / 1024 ** 2) * millisecondsPerMiB

const slow = (limits: ThreadLimits, feed: Feed): FileProblem =>
  new FileProblem('parse_limit', ['parse_slow', Math.ceil(allowed(limits, feed) / 1_000)])

const large = ({ heapMiB }: ThreadLimits): FileProblem => new FileProblem('parse_limit', ['parse_large', heapMiB])

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'

const problemOf = ({ code, reason, line }: { code: FileProblem['code']; reason: Message; line: number | undefined }) =>
  new FileProblem(code, line === undefined ? reason : (reason[2] as Message), line)

const errorOf = ({ message, stack, code }: { message: string; stack: string | undefined; code: unknown }): Error =>
  Object.assign(new Error(message), { ...(stack !== undefined && { stack }), ...(code !== undefined && { code }) })
