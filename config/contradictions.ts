import { kinds } from '../src/domain/kind.ts'
import type { Settings } from './settings.ts'
import type { WrongSetting } from './settings-problem.ts'

/** What is right by itself and wrong together. */
export function findContradictions(settings: Settings): WrongSetting[] {
  return [...organizations(settings), ...polling(settings), ...retention(settings), ...alerts(settings)]
}

function organizations({ organizations, registry }: Settings): WrongSetting[] {
  const ids = organizations.map(({ organizationId }) => organizationId)
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index))
  const wrong = [...repeated].map((id) => ({
    setting: 'organizations',
    problem: `organization ${id} stands there twice`,
  }))
  if (registry && ids.length === 0) {
    const problem = 'is needed with REGISTRY_URL, and so are REGISTRY_HOLDER_ID and REGISTRY_PLAN_ID'
    wrong.push({ setting: 'REGISTRY_ORGANIZATION_ID', problem })
  }
  return wrong
}

function polling({ forKind }: Settings): WrongSetting[] {
  const wrong = kinds.flatMap((kind) => {
    const { first, max, deadline } = forKind[kind].polling
    if (first <= max && max <= deadline) return []
    return [`first, max and deadline of ${kind} must not shrink, got ${first} ms, ${max} ms, ${deadline} ms`]
  })
  return wrong.map((problem) => ({ setting: 'polling', problem }))
}

/** An answer that is deleted while it is fresh would be bought again. */
function retention({ forKind, retention }: Settings): WrongSetting[] {
  return kinds
    .filter((kind) => forKind[kind].freshness > retention.lookups)
    .map((kind) => ({ setting: 'retention.lookups', problem: `must not be shorter than freshness.${kind}` }))
}

/** A message that nobody can tell from a forged one is worth nothing to its receiver. */
function alerts({ alerts: { webhook, secret } }: Settings): WrongSetting[] {
  return webhook && !secret ? [{ setting: 'VIGIA_WEBHOOK_SECRET', problem: 'is needed with alerts.webhook' }] : []
}
