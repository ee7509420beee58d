import { fc } from '@fast-check/vitest'

/** Any character of Unicode, as `unit: 'binary'` of fast-check, which lists all million of them in a map each time first. */
export const anyCharacter = fc
  .oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint))
