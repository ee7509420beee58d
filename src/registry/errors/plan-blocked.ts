import { CallFailure } from '../../domain/call-failure.ts'

/** The plan does not permit this question, or has nothing left (PLAN_NOT_ALLOWED, Interface 7). */
export class PlanBlocked extends CallFailure {
  override readonly name = 'PlanBlocked'
  readonly retryable = true
  readonly outcome = 'refused'
  override readonly holds = 'plan'

  constructor(endpoint: string, status: number, reason: string) {
    super(`${endpoint} answered ${status} ${reason}; check the plan with the registry, then resume the lane`)
  }
}
