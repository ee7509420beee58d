import { writeFileSync } from 'node:fs'
import { describeService } from '../src/sandbox/operations.ts'
import { apiRoutes, describeApi } from '../src/web/api/api-routes.ts'

/** `node openapi/write.ts`, then `npm run format`, after a change of the wire schemas or of the API's routes. */
const documents = { 'registry.json': describeService(), 'vigia.json': describeApi(apiRoutes) }
for (const [name, document] of Object.entries(documents)) {
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
  console.log(`wrote openapi/${name}`)
}
