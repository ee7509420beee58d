import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeService } from './openapi.ts'

/** `node src/sandbox/write-openapi.ts`, then `npm run format`, after a change of the wire schemas. */
const path = resolve(import.meta.dirname, '../../openapi/registry.json')
writeFileSync(path, `${JSON.stringify(describeService(), null, 2)}\n`)
console.log(`wrote ${path}`)
