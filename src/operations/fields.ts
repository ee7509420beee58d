import { z } from 'zod'
import { legalBases, longestPurpose } from '../domain/purpose.ts'
import type { Limit } from '../views/fields.ts'

/** The number of a thing, as addresses and people write it. */
export const id = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt)

export const line = z.int().min(0).max(2_147_483_647)

/** Which document of a row, where each row is asked about several. */
export const column = z.string().max(200).optional().describe('the column of the document, where a row has several')

/** A number of paid calls. */
export const units = z.int().min(0).max(2_000_000_000)

export const purpose = z
  .string()
  .max(longestPurpose)
  .optional()
  .describe(`why: a legal basis (${legalBases.join(', ')}), a text, or "basis: text"`)

/** A file, which is taken once, while it arrives. */
export type GivenFile = { name: string; bytes: AsyncIterable<Uint8Array> }

export const file = z.custom<GivenFile>((given) => given !== undefined)

/** How many of a list are returned. */
export const limitOf = ({ usual, most }: Limit) => z.int().min(1).max(most).default(usual).describe('how many to show')
