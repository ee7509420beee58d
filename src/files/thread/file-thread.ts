import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { MessageChannel, type MessagePort, parentPort } from 'node:worker_threads'
import type { Message } from '../../messages/message.ts'
import { FileProblem } from '../file-problem.ts'

/** What a module that is run in the thread exports as `read`. Open files among its output are moved, not copied. */
export type ThreadTask<Input, Output> = (
  input: Input,
  open: () => AsyncIterable<Uint8Array>,
) => Promise<{ output: Output; moved?: FileHandle[] }>

export type ToThread = { module: string; input: unknown }

/** `stream`: each message that it sends asks for the next bytes of the file; null ends them. */
export type FromThread = { begun: true } | { stream: MessagePort } | ThreadEnd

export type ThreadEnd =
  | { output: unknown }
  | { problem: Message }
  | { error: { message: string; stack: string | undefined; code: unknown } }

/** The thread that reads files: it runs one task after the other, and asks the main thread for the bytes. */
const port = parentPort!
const post = (message: FromThread, moved: (FileHandle | MessagePort)[] = []): void =>
  port.postMessage(message, moved as never[])

port.on('message', ({ module, input }: ToThread) => void run(module, input))

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
  const { port1: own, port2: theirs } = new MessageChannel()
  post({ stream: theirs }, [theirs])
  try {
    for (;;) {
      own.postMessage('next')
      const [bytes] = (await once(own, 'message')) as [Uint8Array | null]
      if (!bytes) return
      yield bytes
    }
  } finally {
    own.close()
  }
}

/** An error that is copied between threads loses its class and its code. */
const failureOf = (error: unknown): FromThread => {
  if (error instanceof FileProblem) return { problem: error.reason }
  const { message, stack, code } = error as NodeJS.ErrnoException
  return { error: { message: message ?? String(error), stack, code } }
}
