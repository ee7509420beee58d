import { setTimeout as pause } from 'node:timers/promises'
import defaults from '../../../config/default.json' with { type: 'json' }
import { parseDuration } from '../../../src/domain/duration.ts'
import { bareRegistry } from '../bare-registry.ts'
import { person } from '../people-file.ts'
import { runTask } from '../task.ts'

/** The time of a single document by itself: bought, waited for as long as Vigia waits at first, consulted. */
await runTask(async ({ registryUrl }: { registryUrl: string }) => {
  const { generate, consult, close } = bareRegistry(registryUrl, 1)
  await consult(await generate(person(1)))
  const began = performance.now()
  const analysis = await generate(person(2))
  await pause(parseDuration(defaults.polling.first))
  await consult(analysis)
  const ms = performance.now() - began
  await close()
  return { ms }
})
