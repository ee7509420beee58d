import type { FastifyRequest } from 'fastify'
import type { GivenFile } from '../operations/fields.ts'
import { Refusal } from '../operations/refusal.ts'
import { checkForm } from './access/guard.ts'

/**
 * Reads a form with a file, which is taken while it arrives. Its fields come before the file. One that comes after it is
 * refused with the file: it could be the limit of what the file may spend. A field left empty is left out.
 */
export const receiveFile = async <T>(
  request: FastifyRequest,
  take: (given: Record<string, unknown> & { file: GivenFile }) => Promise<T>,
): Promise<T> => {
  const fields: Record<string, string> = {}
  const column: string[] = []
  let csrf: unknown = request.headers['x-csrf-token']
  const parts = request.parts()
  for await (const part of parts) {
    if (part.type === 'field') {
      const value = String(part.value)
      if (part.fieldname === 'csrf') csrf = value
      else if (part.fieldname === 'column') column.push(value)
      else if (value.trim() !== '') fields[part.fieldname] = value
    } else if (part.filename) {
      checkForm(request, csrf)
      return await take({
        ...fields,
        ...(column.length > 0 && { column }),
        file: { name: part.filename, bytes: completeFile(part.file, parts) },
      })
    } else part.file.resume()
  }
  throw new Refusal(422, 'wrong_request', ['no_file'])
}

/** A file that was cut at the limit ends like any other, except that `truncated` is set. Nothing of it is stored. */
async function* completeFile(
  file: AsyncIterable<Uint8Array> & { truncated: boolean },
  parts: ReturnType<FastifyRequest['parts']>,
): AsyncGenerator<Uint8Array> {
  yield* file
  if (file.truncated) throw new Refusal(413, 'too_large', 'The file is larger than web.maxUploadBytes allows')
  const { value: next } = await parts.next()
  if (next?.type === 'field') throw new Refusal(400, 'wrong_request', ['field_after_file', next.fieldname.slice(0, 40)])
}
