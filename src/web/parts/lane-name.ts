import type { Kind } from '../../domain/kind.ts'
import type { Visit } from '../visit.ts'

/** A lane as people call it: the organization's name where there are several, and the question. */
export const laneName = (
  { words, site }: Pick<Visit, 'words' | 'site'>,
  { organization, kind }: { organization: number | bigint; kind: Kind },
): string => {
  const { accounts } = site.engine
  const account = accounts.find((each) => BigInt(each.organizationId) === BigInt(organization))
  const question = words.terms.kinds[kind]
  return accounts.length > 1 || !account ? `${account?.name ?? organization} · ${question}` : question
}
