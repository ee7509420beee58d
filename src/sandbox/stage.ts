import { type Faults, openFaults } from './faults.ts'
import { calmScenario, changeScenario, type Scenario, type ScenarioPatch } from './scenario.ts'

/** The scenario as it stands now, with the counters of its faults and the start of its outage. */
export type Stage = {
  readonly scenario: Scenario
  readonly faults: Faults
  readonly isCalm: boolean
  readonly isOut: boolean
  change(patch: ScenarioPatch, at: number): void
}

export function openStage(first: ScenarioPatch, seed: number, now: () => number): Stage {
  let scenario = calmScenario
  let faults = openFaults([], seed)
  let outageEnds = 0
  const stage: Stage = {
    get scenario() {
      return scenario
    },
    get faults() {
      return faults
    },
    get isCalm() {
      return scenario.faults.length === 0 && Object.keys(scenario.latency).length === 0
    },
    get isOut() {
      return scenario.outage !== null && now() < outageEnds
    },
    change(patch, at) {
      scenario = changeScenario(scenario, patch)
      if (patch.faults) faults = openFaults(scenario.faults, seed)
      if (patch.outage) outageEnds = at + (scenario.outage?.forMs ?? Number.POSITIVE_INFINITY)
    },
  }
  stage.change(first, now())
  return stage
}
