import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

export type Limits = { timeout: number; maxBodyBytes: number }

export type Received = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** No answer, why, and whether anything may have left for the registry. */
export type Lost = { left: boolean; why: string }

/**
 * Sends one request and collects its answer, within one deadline for the whole and no more than the bytes allowed.
 *
 * Done by hand on `dispatch`, which costs a fifth less than `request`, and tells what no error of undici does: it calls
 * `onRequestStart` right before the first byte is written, so without that call nothing has left.
 */
export function exchange(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeout, maxBodyBytes }: Limits,
  signal?: AbortSignal,
): Promise<Received | Lost> {
  return new Promise((resolve) => {
    let control: Dispatcher.DispatchController | undefined
    let isOver = false
    let status = 0
    let headers: IncomingHttpHeaders = {}
    let size = 0
    const chunks: Buffer[] = []

    const settle = (outcome: Received | Lost) => {
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      resolve(outcome)
    }
    const lose = (why: string) => {
      if (isOver) return
      settle({ left: control !== undefined, why })
      control?.abort(new Error(why))
    }
    const giveUp = () => lose('it was given up')
    const timer = setTimeout(lose, timeout, `${timeout} ms passed`)
    signal?.addEventListener('abort', giveUp)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        if (isOver) controller.abort(new Error('given up before it was sent'))
        else control = controller
      },
      onResponseStart(_controller, statusCode, received) {
        status = statusCode
        headers = received
      },
      onResponseData(_controller, chunk) {
        size += chunk.length
        if (size > maxBodyBytes) lose(`a body of more than ${maxBodyBytes} bytes`)
        else chunks.push(chunk)
      },
      onResponseEnd() {
        if (!isOver) settle({ status, headers, bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) })
      },
      onResponseError: (_controller, error) => lose(whyOf(error)),
    }
    try {
      pool.dispatch(request, handler)
    } catch (error) {
      lose(whyOf(error))
    }
  })
}

/** Only the code and the plain words: undici's errors also carry what was received. */
function whyOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return [code, message].filter(Boolean).join(' ')
}
