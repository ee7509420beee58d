import type { FileHandle } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import type { Message } from '../../messages/message.ts'
import { FileProblem } from '../file-problem.ts'

/** What a module that is run in the thread exports as `read`. Open files among its output are moved, not copied. */
export type ThreadTask<Input, Output> = (
  input: Input,
  open: () => AsyncIterable<Uint8Array>,
) => Promise<{ output: Output; moved?: FileHandle[] }>

export type ToThread = { module: string; input: unknown } | { stream: number; bytes: Uint8Array | null }

export type FromThread = { begun: true } | { next: number } | { close: number } | ThreadEnd

export type ThreadEnd =
  | { output: unknown }
  | { problem: Message }
  | { error: { message: string; stack: string | undefined; code: unknown } }

/** The thread that reads files: it runs one task after the other, and asks the main thread for the bytes. */
const port = parentPort!
const post = (message: FromThread, moved: FileHandle[] = []): void => port.postMessage(message, moved as never[])
const waiting = new Map<number, (bytes: Uint8Array | null) => void>()
let streams = 0

port.on('message', (message: ToThread) => {
  if ('module' in message) return void run(message.module, message.input)
  const give = waiting.get(message.stream)
  waiting.delete(message.stream)
  give?.(message.bytes)
})

const run = async (module: string, input: unknown): Promise<void> => {
  try {
    const { read } = (await import(module)) as { read: ThreadTask<unknown, unknown> }
    post({ begun: true })
    const { output, moved } = await read(input, open)
    post({ output }, moved)
  } catch (error) {
    post(failureOf(error))
  }
}

async function* open(): AsyncGenerator<Uint8Array> {
  const stream = ++streams
  const next = () =>
    new Promise<Uint8Array | null>((resolve) => {
      waiting.set(stream, resolve)
      post({ next: stream })
    })
  try {
    for (let bytes = await next(); bytes; bytes = await next()) yield bytes
  } finally {
    post({ close: stream })
  }
}

/** An error that is copied between threads loses its class and its code. */
const failureOf = (error: unknown): FromThread => {
  if (error instanceof FileProblem) return { problem: error.reason }
  const { message, stack, code } = error as NodeJS.ErrnoException
  return { error: { message: message ?? String(error), stack, code } }
}
