import { formatDocument, maskDocument } from '../domain/document.ts'

/** Whoever runs a command on the database's own machine is its administrator; a screen still shows no more than asked. */
export const unmaskedOption = { flags: '--unmasked', about: 'show documents whole' }

export const shownDocument = (document: string, unmasked: boolean | undefined): string =>
  unmasked ? formatDocument(document) : maskDocument(document)
