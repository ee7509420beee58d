import type { Account } from '../domain/lookup.ts'
import type { PlantedRisk } from './data/risk.ts'
import { buyAnalysis, buyForOthers } from './operations/analyses.ts'
import { buyCnh } from './operations/cnh.ts'
import type { Analysis, BookedCharge, BookedRadar, Cnh } from './records.ts'
import type { SandboxInternals } from './registry.ts'
import { changeScenario, type ScenarioPatch } from './scenario.ts'
import { accounts, issueToken } from './tokens.ts'

/** What a test, a rehearsal or `/sandbox/*` may do to the registry behind everybody's back. */
export type SandboxControls = ReturnType<typeof createControls>

export const createControls = (registry: SandboxInternals) => ({
  /** How many units were charged: in all, or for one document, or for one kind of it. */
  charges(document?: string, kind?: BookedCharge['kind']): number {
    const units = document === undefined ? registry.records.charges : (registry.records.chargesOf.get(document) ?? [])
    return kind === undefined ? units.length : units.filter((unit) => unit.kind === kind).length
  },

  /** Charges an analysis of the document whose answer nobody got. */
  alreadyGenerated(document: string, account: Account = accounts[0]): Analysis {
    return buyAnalysis(registry, { organizationId: account.organizationId, document })
  },

  /** Takes a document out of what the organization has: its analyses are marked, and cannot be consulted any more. */
  deleteAnalyses(document: string, account: Account = accounts[0]): void {
    registry.record({ type: 'deleted', organizationId: account.organizationId, document, at: registry.now() })
  },

  /** Charges a CNH request whose answer nobody got. */
  alreadyRequested(document: string, account: Account = accounts[0]): Cnh {
    return buyCnh(registry, account.organizationId, document, false)
  },

  /** Lays exact figures over a document's own data from now on; null takes them away again. */
  plantChange(document: string, risk: PlantedRisk | null): void {
    registry.record({ type: 'planted', document, risk })
  },

  plantRadar(radar: Pick<BookedRadar, 'code'> & Partial<BookedRadar>): BookedRadar {
    const planted: BookedRadar = {
      id: registry.records.nextRadarId,
      organizationId: accounts[0].organizationId,
      name: `BookedRadar ${registry.records.nextRadarId}`,
      type: radar.code.length === 11 ? 'CPF' : 'CNPJ',
      at: registry.now(),
      active: true,
      ...radar,
    }
    registry.record({ type: 'radar', radar: planted })
    return planted
  },

  /** Renames, deactivates or otherwise changes a radar. */
  changeRadar(id: number, change: Partial<Omit<BookedRadar, 'id'>>): void {
    const radar = registry.records.radars.get(id)
    if (!radar) throw new Error(`The sandbox has no radar ${id}`)
    registry.record({ type: 'radar', radar: { ...radar, ...change } })
  },

  removeRadar(id: number): void {
    registry.record({ type: 'radarRemoved', id })
  },

  /** Replaces the keys of the scenario that the patch names; fault counters start again with new faults. */
  setScenario(patch: ScenarioPatch): void {
    changeScenario(registry.scenario, patch)
    registry.record({ type: 'scenario', patch, at: registry.now() })
    buyForOthers(registry)
  },

  /** Lets simulated days pass: the data of some documents changes, the clock does not. */
  advanceDays(days = 1): number {
    registry.record({ type: 'day', day: registry.records.day + days })
    return registry.records.day
  },

  /** A fresh access token, as an operator would get one by hand. */
  giveToken: (): string => issueToken(registry).token,

  /** Ends every token given so far. */
  expireTokens(): void {
    for (const token of registry.records.tokens.values())
      registry.record({ type: 'token', token: { ...token, expiresAt: registry.now() } })
  },
})
