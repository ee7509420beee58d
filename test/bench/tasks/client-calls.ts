import { createBound } from '../../../src/registry/bound.ts'
import { createRegistry } from '../../../src/registry/create-registry.ts'
import { accounts, credentials } from '../../../src/sandbox/tokens.ts'
import { createMemoryVault } from '../../registry/memory-vault.ts'
import { keepOpen } from '../bare-registry.ts'
import { person } from '../people-file.ts'
import { runTask, secondsSince } from '../task.ts'

/** The same through Vigia's client: with bound, breaker, token, deadline and the validation of every body. */
await runTask(async ({ registryUrl, open, documents }: { registryUrl: string; open: number; documents: number }) => {
  const { analyses, close } = createRegistry({
    url: registryUrl,
    credentials,
    vault: createMemoryVault(credentials.token),
    bound: createBound({ ceiling: open }),
    request: { timeout: 30_000, retries: 4, maxBodyBytes: 10_485_760 },
  })
  const [account] = accounts
  const ask = async (n: number) => {
    const analysis = await analyses.generate({ type: 'CPF', number: person(n) }, account)
    await analyses.consult(analysis, account)
  }
  const began = performance.now()
  let n = 0
  await keepOpen(open, () => (n < documents ? ask(++n) : null))
  const seconds = secondsSince(began)
  await close()
  return { seconds }
})
