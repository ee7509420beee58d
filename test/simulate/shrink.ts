import type { Plan, RegistryPlan } from './plan/plan.ts'
import type { Outcome } from './run/history.ts'

type Run = (plan: Plan) => Outcome

/**
 * Makes a history that breaks a promise as short as it gets while it still breaks the same one: leaves out incidents, faults,
 * documents, changes of radars and workers, and gives the registry its usual ways back.
 */
export const shrink = (plan: Plan, promise: string, run: Run, tries = 400): Plan => {
  let best = plan
  let left = tries
  const breaks = (candidate: Plan): boolean => {
    if (left-- <= 0) return false
    return run(candidate).violation?.promise === promise
  }
  const attempt = (candidate: Plan): boolean => {
    if (!breaks(candidate)) return false
    best = candidate
    return true
  }
  for (let before: Plan | null = null; before !== best && left > 0; ) {
    before = best
    leaveOut(
      () => best.incidents,
      (incidents) => attempt({ ...best, incidents }),
    )
    leaveOut(
      () => best.calls,
      (calls) => attempt({ ...best, calls }),
    )
    leaveOut(
      () => best.registry.colleagues,
      (colleagues) => attempt({ ...best, registry: { ...best.registry, colleagues } }),
    )
    leaveOut(
      () => best.radars?.events ?? [],
      (events) => best.radars !== null && attempt({ ...best, radars: { ...best.radars, events } }),
    )
    shortenFiles(() => best, attempt)
    if (best.workers > 1) attempt({ ...best, workers: best.workers - 1 })
    makeUsual(() => best, attempt)
  }
  return best
}

/** Leaves out halves, then quarters, then single ones, as long as something still may go. */
const leaveOut = <T>(current: () => readonly T[], attempt: (rest: T[]) => boolean): void => {
  for (let size = Math.ceil(current().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < current().length; ) {
      const list = current()
      const rest = [...list.slice(0, from), ...list.slice(from + size)]
      if (!attempt(rest)) from += size
    }
  }
}

const shortenFiles = (current: () => Plan, attempt: (plan: Plan) => boolean): void => {
  for (let i = current().files.length - 1; i >= 0; i--) {
    if (current().files.length > 1) attempt({ ...current(), files: current().files.filter((_, at) => at !== i) })
    if (i >= current().files.length) continue
    leaveOut(
      () => current().files[i]!.documents,
      (documents) => {
        const files = current().files.map((file, at) => (at === i ? { ...file, documents } : file))
        return documents.length > 0 && attempt({ ...current(), files })
      },
    )
  }
}

const usual: Partial<RegistryPlan> = {
  order: 'newest',
  page: null,
  pageOf: 'items',
  keep: 'newest',
  total: 'all',
  figures: 'roomy',
  per: 'document',
  deleted: 'listed',
  empty: 'array',
  lagMs: 0,
  lags: 'same',
  lapses: false,
  dates: { shape: 'zoned', zoneMs: -3 * 3_600_000, clockMs: 0, apartMs: 0 },
  hidesNewMs: 0,
  readyMs: 0,
  slowMs: 0,
  mixed: 0,
  neverReady: [],
}

const makeUsual = (current: () => Plan, attempt: (plan: Plan) => boolean): void => {
  for (const [key, value] of Object.entries(usual)) {
    const { registry } = current()
    if (JSON.stringify(registry[key as keyof RegistryPlan]) === JSON.stringify(value)) continue
    attempt({ ...current(), registry: { ...registry, [key]: value } })
  }
}
