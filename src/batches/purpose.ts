import { readPurpose } from '../domain/purpose.ts'
import { FileProblem } from '../files/file-problem.ts'

/** `purpose` of the settings. */
export type PurposeTerms = { default: string | null; required: boolean }

/** The purpose of a file: what was given, else that of the settings. If there is none and one is required, it refuses. */
export const purposeFor = (terms: PurposeTerms, given?: string): string | null => {
  const purpose = readPurpose(given) ?? terms.default
  if (purpose === null && terms.required) throw new FileProblem('no_purpose', ['no_purpose'])
  return purpose
}
