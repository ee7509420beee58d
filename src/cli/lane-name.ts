import type { Settings } from '../../config/settings.ts'
import type { LaneName } from '../batches/steer-lane.ts'
import { isKind } from '../domain/kind.ts'
import { organizationsOf } from './organization.ts'
import { UsageError } from './usage-error.ts'

/** Reads `7001/analysis`: an organization of the settings and a kind. */
export function readLane(text: string, settings: Settings): LaneName {
  const [, organization, kind = ''] = /^(\d+)\/(\w+)$/.exec(text) ?? []
  const known = organizationsOf(settings).some(({ organizationId }) => organizationId === Number(organization))
  if (organization && known && isKind(kind)) return { organizationId: Number(organization), kind }
  const example = `${organizationsOf(settings)[0]?.organizationId ?? 1}/analysis`
  throw new UsageError(`a lane is an organization of the settings and a kind, such as ${example}, not "${text}"`)
}
