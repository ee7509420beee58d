import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { apiRoutes } from './api-routes.ts'
import { describeApi } from './openapi.ts'

/** `node src/web/api/write-openapi.ts`, then `npm run format`, after a change of the routes. */
const path = resolve(import.meta.dirname, '../../../openapi/vigia.json')
writeFileSync(path, `${JSON.stringify(describeApi(apiRoutes), null, 2)}\n`)
console.log(`wrote ${path}`)
