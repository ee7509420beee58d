import { setTimeout as pause } from 'node:timers/promises'
import { bareRegistry } from '../bare-registry.ts'
import { person } from '../people-file.ts'
import { runTask } from '../task.ts'

/** The time of a single document by itself: bought, waited for as long as Vigia waits at first, consulted. */
await runTask(async ({ registryUrl, waitMs }: { registryUrl: string; waitMs: number }) => {
  const { generate, consult, close } = bareRegistry(registryUrl, 1)
  await consult(await generate(person(1)))
  const began = performance.now()
  const analysis = await generate(person(2))
  await pause(waitMs)
  await consult(analysis)
  const ms = performance.now() - began
  await close()
  return { ms }
})
