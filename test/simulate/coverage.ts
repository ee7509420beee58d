import type { Outcome } from '../../src/domain/outcome.ts'

type Is = Outcome['is']
type State = 'sending' | 'waiting'

const kinds = ['', 'cnh '] as const
const states: readonly State[] = ['sending', 'waiting']

const outcomes: readonly Is[] = [
  'ok',
  'accepted',
  'later',
  'given_up',
  'refused',
  'refused_unproven',
  'not_sent',
  'silence',
  'held',
  'put_back',
  'adopted',
  'absent',
  'unproven',
  'unjudged',
  'undecided',
]

/**
 * What cannot come together, and why. A paid look-up is `sending` in its first turn already: its intent is recorded before.
 *
 * `kind`: only there; an analysis is ''.
 */
const never: readonly { state: State; kind?: (typeof kinds)[number]; outcomes: readonly Is[]; why: string }[] = [
  { state: 'sending', kind: '', outcomes: ['ok'], why: 'the answer of an analysis is read when it waits' },
  { state: 'sending', outcomes: ['later'], why: 'only what was accepted is asked for again' },
  {
    state: 'sending',
    outcomes: ['refused'],
    why: 'a paid call that is refused may have been charged: refused_unproven',
  },
  { state: 'sending', outcomes: ['given_up'], why: 'so may one that is refused for ever, and all documents are CPFs' },
  {
    state: 'sending',
    kind: 'cnh ',
    outcomes: ['undecided'],
    why: 'only the latest licence is shown, and the registry of a history deletes all of a CPF at once',
  },
  {
    state: 'waiting',
    kind: '',
    outcomes: ['given_up'],
    why: 'the registry of a history refuses no answer for ever: it is asked for until the deadline',
  },
  {
    state: 'waiting',
    outcomes: ['accepted', 'adopted', 'absent', 'unproven', 'unjudged', 'undecided', 'refused_unproven'],
    why: 'these concern a call that spends, and it was made',
  },
]

/** Histories that bring together what few do: a licence is read while the registry hangs, or is away for long. */
export const rareSeeds: readonly number[] = [2_048]

/** Possible, but too rare to be required: nobody gives or renews the token of a call that is about to leave. */
const unseen: readonly string[] = ['sending × not_sent', 'cnh sending × not_sent', 'cnh waiting × not_sent']

/** `sending × ok → ok`, as advance.ts counts them, but not where it went. */
const pairOf = (counted: string): string => counted.split(' → ')[0]!

/** Each kind, state and outcome that can come together, and did not. */
export const missingPairs = (pairs: Record<string, number>): string[] => {
  const reached = new Set(Object.keys(pairs).map(pairOf))
  return kinds.flatMap((kind) =>
    states.flatMap((state) =>
      outcomes.flatMap((is) => {
        const excluded = never.some(
          (each) => each.state === state && (each.kind ?? kind) === kind && each.outcomes.includes(is),
        )
        const pair = `${kind}${state} × ${is}`
        return excluded || reached.has(pair) || unseen.includes(pair) ? [] : [pair]
      }),
    ),
  )
}

/** What the table says cannot happen, and did. */
export const unexpectedPairs = (pairs: Record<string, number>): string[] =>
  Object.keys(pairs).filter((counted) => {
    const pair = pairOf(counted)
    return never.some(({ state, kind, outcomes: excluded }) =>
      excluded.some((is) => (kind === undefined ? kinds : [kind]).some((of) => pair === `${of}${state} × ${is}`)),
    )
  })
