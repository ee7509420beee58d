import { startEmbedded } from '../../src/store/embedded/start-embedded.ts'

/** A process that uses the embedded server of a home: prints where it is, and releases it when its input ends. */
const home = process.argv[2] as string
const server = await startEmbedded({ home })
process.stdout.write(`${server.url}\n`)
for await (const _ of process.stdin);
await server.release()
