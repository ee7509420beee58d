import * as real from 'node:crypto'

let count = 0

/** Identifiers in the order in which they are asked for: the same in each run of a history. */
export const randomUUID = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`

export const countFromOne = (): void => {
  count = 0
}

export const { createHash, createHmac, randomBytes, createCipheriv, createDecipheriv, timingSafeEqual } = real
