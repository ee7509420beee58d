import type { HoldCause } from '../../domain/call-failure.ts'
import { holdEnds } from '../../domain/hold-ends.ts'

/** What a person has to do before held lanes go on, in the words of every command; null where nobody has to do anything. */
export const cureOf = (cause: HoldCause, lanes: readonly string[]): string | null => {
  const { mustAct, todo } = holdEnds[cause]
  if (!mustAct) return null
  return todo === 'resume_lane' ? resumeLanes(lanes) : cures[todo]
}

const cures = {
  renew_token: 'set REGISTRY_TOKEN and REGISTRY_REFRESH_TOKEN anew and start the workers again',
  extend_plan: 'have the plan extended',
  settle_refusal: 'settle with the registry what it says',
  restore_access: 'have access restored, or correct REGISTRY_ORGANIZATION_ID',
}

export const resumeLanes = (lanes: readonly string[]): string =>
  lanes.map((lane) => `\`vigia lane resume ${lane}\``).join(', ')
