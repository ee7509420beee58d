import type { HoldCause } from '../../domain/call-failure.ts'
import { holdEnds } from '../../domain/hold-ends.ts'

/** What a person must do before held lanes resume, in the same text for every command; null if nobody has to act. */
export const cureOf = (cause: HoldCause, lanes: readonly string[]): string | null => {
  const { mustAct, todo } = holdEnds[cause]
  if (!mustAct) return null
  return todo === 'resume_lane' ? resumeLanes(lanes) : cures[todo]
}

const cures = {
  renew_token: 'set a new REGISTRY_TOKEN and REGISTRY_REFRESH_TOKEN and restart the workers',
  extend_plan: 'have the plan extended',
  settle_refusal: 'resolve the refusal with the registry',
  restore_access: 'have access restored, or correct REGISTRY_ORGANIZATION_ID',
}

export const resumeLanes = (lanes: readonly string[]): string =>
  lanes.map((lane) => `\`vigia lane resume ${lane}\``).join(', ')
