import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { type MessagePort, Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { FileProblem } from '../file-problem.ts'
import { takeBytes } from '../take-bytes.ts'
import type { FromThread, ThreadEnd, ToThread } from './file-thread.ts'

/** The limits for reading one file in a thread; time in which it waits for the bytes does not count. */
export type ThreadLimits = {
  milliseconds: number
  /** Additional time for large files: for each MiB that was given to the thread. */
  millisecondsPerMiB: number
  heapMiB: number
}

export const threadLimits: ThreadLimits = { milliseconds: 60_000, millisecondsPerMiB: 1_000, heapMiB: 256 }

type ThreadJob = {
  /** The module that runs in the thread: it exports a ThreadTask as `read`. */
  module: URL
  input: unknown
  open: () => AsyncIterable<Uint8Array>
  limits?: ThreadLimits | undefined
}

/**
 * Reads an untrusted file in a separate thread, with a limit of time and memory. If the file is faulty, only the thread
 * ends, and the fault becomes a FileProblem.
 */
export const readInThread = <Output>(job: ThreadJob): Promise<Output> => inTurn(() => readAlone<Output>(job))

/** Few at a time, because each thread may use its full share of memory. */
const inTurn = pLimit(4)

const readAlone = async <Output>({ module, input, open, limits = threadLimits }: ThreadJob): Promise<Output> => {
  const thread = takeThread(limits)
  const ended = Promise.withResolvers<Output>()
  let isSound = false
  const feed = createFeed(open, ended.reject)
  const deadline = createDeadline(limits, feed, () => ended.reject(slow(limits, feed)))
  const end = (message: ThreadEnd): void => {
    isSound = true
    if ('output' in message) ended.resolve(message.output as Output)
    else ended.reject('problem' in message ? new FileProblem(message.problem) : errorOf(message.error))
  }
  const hear = (message: FromThread): void => {
    if ('begun' in message) deadline.begin()
    else if ('stream' in message) feed.serve(message.stream)
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

/** Loading a thread takes longer than reading most files, so one is kept for the next file. It keeps no process alive. */
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
/** After this many bytes a thread has grown so much that freeing its memory is worth a new start. */
const largeFile = 1024 ** 2

/** The memory limit of a thread is fixed when it starts; its time limit is not. */
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

/** A thread uses the compile cache only if its environment names it; without, it compiles for 45 MiB more. */
const threadEnv = (): NodeJS.ProcessEnv => {
  const cache = getCompileCacheDir()
  return cache ? { ...process.env, NODE_COMPILE_CACHE: dirname(cache) } : process.env
}

/** Counts from the moment the thread has loaded its module. */
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
  new FileProblem(['parse_slow', Math.ceil(allowed(limits, feed) / 1_000)])

const large = ({ heapMiB }: ThreadLimits): FileProblem => new FileProblem(['parse_large', heapMiB])

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'

const errorOf = ({ message, stack, code }: { message: string; stack: string | undefined; code: unknown }): Error =>
  Object.assign(new Error(message), { ...(stack !== undefined && { stack }), ...(code !== undefined && { code }) })

type Feed = ReturnType<typeof createFeed>

/**
 * Gives the bytes of a file to a thread, stream by stream, whenever it asks. A failure of the source is not the file's fault,
 * and is reported as it is.
 */
const createFeed = (open: () => AsyncIterable<Uint8Array>, fail: (error: unknown) => void) => {
  const sources: AsyncIterator<Uint8Array>[] = []
  let given = 0
  let waited = 0
  let waitsSince: number | null = null
  const give = async (source: AsyncIterator<Uint8Array>, port: MessagePort): Promise<void> => {
    waitsSince = performance.now()
    try {
      // Only a copy can be moved to another thread: the pieces may be parts of a larger buffer.
      const bytes = new Uint8Array(await takeBytes(source, pieceSize))
      given += bytes.length
      port.postMessage(bytes.length > 0 ? bytes : null, [bytes.buffer])
    } catch (error) {
      fail(error)
    } finally {
      waited += performance.now() - waitsSince
      waitsSince = null
    }
  }
  return {
    serve(port: MessagePort): void {
      let source: AsyncIterator<Uint8Array> | undefined
      port.on('message', () => {
        // Not before it is read: nobody would hear a stream that fails until then.
        if (!source) {
          source = open()[Symbol.asyncIterator]()
          sources.push(source)
        }
        void give(source, port)
      })
    },
    end: () => Promise.allSettled(sources.map((source) => source.return?.())),
    /** How many bytes were given to the thread. */
    bytes: () => given,
    /** How long the thread waited for them. */
    waitedMs: () => waited + (waitsSince === null ? 0 : performance.now() - waitsSince),
  }
}

const pieceSize = 128 * 1024
