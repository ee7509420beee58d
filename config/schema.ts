import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { configFile } from './config-file.ts'

export const schemaFile = new URL('schema.json', import.meta.url)

/** The JSON Schema of an overlay: editors use it to complete and check the file that `VIGIA_CONFIG` names. */
export const renderSchema = (): object => {
  const schema = z.toJSONSchema(configFile, {
    io: 'input',
    // The defaults give every key of every section, so an overlay may leave out any; deeper ones have no default.
    override: ({ jsonSchema, path }) => {
      if (path.length <= 2) delete jsonSchema.required
    },
  })
  return { ...schema, title: 'Vigia settings' }
}

if (import.meta.main && process.argv.includes('--write')) {
  writeFileSync(schemaFile, `${JSON.stringify(renderSchema(), null, 2)}\n`)
}
