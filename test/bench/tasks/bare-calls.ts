import { bareRegistry, keepOpen } from '../bare-registry.ts'
import { person } from '../people-file.ts'
import { runTask, secondsSince } from '../task.ts'

/** Buys and consults analyses, a fixed number at a time, and keeps nothing. */
await runTask(async ({ registryUrl, open, documents }: { registryUrl: string; open: number; documents: number }) => {
  const { generate, consult, close } = bareRegistry(registryUrl, open)
  const ask = async (n: number) => void (await consult(await generate(person(n))))
  const began = performance.now()
  let n = 0
  await keepOpen(open, () => (n < documents ? ask(++n) : null))
  const seconds = secondsSince(began)
  await close()
  return { seconds }
})
