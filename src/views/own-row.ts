import { z } from 'zod'
import { masked } from './fields.ts'

/** What a person's own file says about a row. Names are masked as documents are, except where somebody asked to see them. */
export const ownRow = z.object({
  name: masked.nullable(),
  ref: masked.nullable().describe('the column that the file calls `ref`, `id`, `codigo` or `external_id`'),
  cells: z.array(z.object({ column: z.string().nullable().describe('its header, where there is one'), text: masked })),
})
export type OwnRow = z.output<typeof ownRow>
