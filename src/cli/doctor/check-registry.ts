import type { Settings } from '../../../config/settings.ts'
import { type Finding, fine, wrong } from './finding.ts'

const PATIENCE_MS = 10_000

/** Any answer proves that the address is right. */
export async function checkRegistry({ registry }: Settings): Promise<Finding[]> {
  if (!registry) return [fine('registry', 'the built-in sandbox; set REGISTRY_URL for the real one')]
  try {
    const { status } = await fetch(registry.url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })
    return [fine('registry', `${registry.url} answers (${status})`)]
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    return [wrong('registry', `${registry.url}: ${message}`, 'Check REGISTRY_URL, and that this machine may reach it.')]
  }
}
