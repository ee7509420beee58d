import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { inEnglish, type Message } from '../messages/message.ts'
import { listenersOf } from './listeners.ts'

export type Limits = { timeout: number; maxBodyBytes: number }

type Received = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** Takes the pieces of a body that is too large to keep, as they arrive; a promise holds the next piece back. */
type TakePiece = (piece: Buffer) => undefined | Promise<void>

/** There was no answer: why, and whether anything may have reached the registry. */
export type Lost = { left: boolean; why: Message }

/**
 * Sends one request and collects its answer, within one deadline and the allowed number of bytes. A body that is taken in
 * pieces may take longer: each piece restarts the deadline, up to `longestList` times the deadline in total.
 *
 * It uses `dispatch`, which costs a fifth less than `request` and shows what no error of undici does: it calls
 * `onRequestStart` right before the first byte is written, so without that call nothing was sent.
 */
export const exchange = (
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeout, maxBodyBytes }: Limits,
  { signal, take }: { signal?: AbortSignal; take?: TakePiece } = {},
): Promise<Received | Lost> =>
  new Promise((resolve, reject) => {
    let control: Dispatcher.DispatchController | undefined
    let isOver = false
    let status = 0
    let headers: IncomingHttpHeaders = {}
    let size = 0
    const chunks: Buffer[] = []
    let taking: Promise<void> | undefined

    const settle = (outcome: Received | Lost) => {
      isOver = true
      clearTimeout(timer)
      stop?.delete(giveUp)
      resolve(outcome)
    }
    const end = () => {
      if (!isOver) settle({ status, headers, bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) })
    }
    const lose = (why: Message) => {
      if (isOver) return
      settle({ left: control !== undefined, why })
      control?.abort(new Error(inEnglish(why)))
    }
    /** While a piece is being taken, no further piece arrives. If taking it fails, the exchange ends. */
    const hand = (controller: Dispatcher.DispatchController, piece: Buffer, to: TakePiece) => {
      const taken = to(piece)
      startAnew()
      if (!taken) return
      controller.pause()
      taking = taken.then(
        () => {
          startAnew()
          controller.resume()
        },
        (failure) => {
          reject(failure)
          lose(['body_not_taken'])
        },
      )
    }
    const giveUp = () => lose(['given_up'])
    const timer = setTimeout(lose, timeout, ['ms_passed', timeout])
    const latest = performance.now() + timeout * longestList
    const startAnew = () => {
      if (!isOver && performance.now() < latest) timer.refresh()
    }
    const stop = signal && listenersOf(signal)
    stop?.add(giveUp)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        if (isOver) controller.abort(new Error('given up before it was sent'))
        else control = controller
      },
      onResponseStart(_controller, statusCode, received) {
        status = statusCode
        headers = received
      },
      onResponseData(controller, chunk) {
        size += chunk.length
        if (size > maxBodyBytes) lose(['body_large', maxBodyBytes])
        else if (take && isPlainSuccess(status, headers)) hand(controller, chunk, take)
        else chunks.push(chunk)
      },
      onResponseEnd() {
        if (taking) void taking.then(end)
        else end()
      },
      onResponseError: (_controller, error) => lose(['broken', whyOf(error)]),
    }
    try {
      pool.dispatch(request, handler)
    } catch (error) {
      lose(['broken', whyOf(error)])
    }
  })

/** A list of 150,000 takes long to arrive and longer to take. A list that trickles must end too. */
const longestList = 20

/** Only this status and type can be the list that was asked for; anything else is small, and read at once. */
const isPlainSuccess = (status: number, headers: IncomingHttpHeaders): boolean =>
  status >= 200 && status < 300 && (headers['content-encoding'] ?? 'identity') === 'identity'

/** Only the code and the plain message: undici's errors also carry what was received. */
const whyOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string }
  return [code, message].filter(Boolean).join(' ')
}

/**
 * The text of a body, also where it was encoded although identity was requested; a promise only where it was.
 *
 * Null where it cannot be decoded, or is larger than the limit once decoded.
 */
export const textOf = (bytes: Buffer, encoding: string | undefined, maxBytes: number) => {
  const decoder = encoding && decoders.get(encoding.trim().toLowerCase())
  return decoder ? decode(decoder, bytes, maxBytes) : withoutBom(bytes.toString())
}

const decode = async (decoder: Decoder, bytes: Buffer, maxBytes: number): Promise<string | null> => {
  try {
    const decoded = await decoder(bytes, { maxOutputLength: maxBytes })
    return withoutBom(decoded.toString())
  } catch {
    return null
  }
}

const withoutBom = (text: string) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const decoders = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
])
