import { setImmediate } from 'node:timers/promises'
import type { LooksLike } from '../../messages/en/messages.ts'
import { FileProblem } from '../file-problem.ts'
import { looksLike } from '../looks-like.ts'
import { takeBytes } from '../take-bytes.ts'
import { detectLayout } from './detect-layout.ts'
import type { Dialect, Encoding } from './dialect.ts'
import { byteOrderMark, byteOrderMarks, decodeText, StrictText } from './encoding.ts'

type Bytes = AsyncIterable<Uint8Array>
type DetectedEncoding = Pick<Dialect, 'encoding' | 'bom'>

/**
 * Detects how a file is written, in one pass and in constant memory.
 *
 * It reads to the end: one byte near it can decide between Windows-1252 and UTF-8. Whatever does not decode is a
 * FileProblem here, so that nothing is stored of a file that could not be imported.
 */
export const detectDialect = async (source: Bytes): Promise<Dialect> => {
  const { head, text, release } = await peek(source, headSize)
  try {
    refuseForeign(head)
    const detected = byteOrderMark(head) ?? unmarkedUtf16(head)
    const found = detected ? await decodeAll(text, detected) : await utf8OrWindows1252(text)
    return { ...found, quote: '"', ...detectLayout(textOf(head, found), head.length < headSize) }
  } finally {
    await release()
  }
}

const textOf = (head: Buffer, { encoding, bom }: DetectedEncoding): string => {
  const bomLength = bom ? byteOrderMarks[encoding].length : 0
  return new StrictText(encoding).push(head.subarray(bomLength)).toString()
}

/** Enough for some thousand rows; the layout is detected from these alone. */
const headSize = 256 * 1024

/** Latin text in UTF-16 has a zero in every other byte: the even ones in big endian, the odd ones in little endian. */
const unmarkedUtf16 = (head: Buffer): DetectedEncoding | undefined => {
  const sample = head.subarray(0, 4096)
  const zeros = [0, 0] as [number, number]
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) zeros[i & 1 ? 1 : 0]++
  const [even, odd] = zeros.map((count) => count / (sample.length / 2)) as [number, number]
  if (odd > 0.5 && even < 0.1) return { encoding: 'utf-16le', bom: false }
  if (even > 0.5 && odd < 0.1) return { encoding: 'utf-16be', bom: false }
  return undefined
}

const decodeAll = async (source: Bytes, detected: DetectedEncoding): Promise<DetectedEncoding> => {
  for await (const _ of decodeText(source, detected));
  return detected
}

/** Strict UTF-8 hardly ever fits text of another encoding. Windows-1252 fits almost everything, so it is tried last. */
const utf8OrWindows1252 = async (source: Bytes): Promise<DetectedEncoding> => {
  const trials = [trialOf('utf-8'), trialOf('windows-1252')] as const
  for await (const chunk of source) for (const trial of trials) attempt(trial, (text) => text.push(chunk))
  for (const trial of trials) attempt(trial, (text) => text.end())
  const fitting = trials.find(({ problem }) => !problem) ?? trials.find(({ problem }) => problem?.code === 'nul')
  const { problem, encoding } = fitting ?? trials[1]
  if (problem) throw problem
  return { encoding, bom: false }
}

type Trial = { encoding: Encoding; text: StrictText; problem: FileProblem | null }

const trialOf = (encoding: Encoding): Trial => ({ encoding, text: new StrictText(encoding), problem: null })

const attempt = (trial: Trial, step: (text: StrictText) => unknown): void => {
  if (trial.problem) return
  try {
    step(trial.text)
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    trial.problem = error
  }
}

/** Names the type of a file that was dropped by mistake. */
const refuseForeign = (head: Buffer): void => {
  const kind = looksLike(head)
  if (!maybeText.includes(kind)) throw new FileProblem(['not_text', kind])
}

/** A file whose type is unknown by its first bytes may be text in UTF-16: decoding it decides. */
const maybeText: LooksLike[] = ['text', 'html', 'xml', 'unknown']

type Peeked = { head: Buffer; text: Bytes; release: () => Promise<unknown> }

/** The first bytes of a source, and the complete source again from the start. */
const peek = async (source: Bytes, size: number): Promise<Peeked> => {
  const rest = source[Symbol.asyncIterator]()
  const bytes = await takeBytes(rest, size)
  return { head: bytes.subarray(0, size), text: replay(bytes, rest), release: async () => rest.return?.() }
}

async function* replay(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let step = await rest.next(); !step.done; step = await rest.next()) {
    yield step.value
    await setImmediate()
  }
}
