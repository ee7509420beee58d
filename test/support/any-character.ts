import { fc } from '@fast-check/vitest'

/** Any character of Unicode, as `unit: 'binary'` of fast-check, which builds a map of a million characters each time. */
export const anyCharacter = fc
  .oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint))
