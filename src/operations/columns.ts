import { z } from 'zod'
import { forgetChoice } from '../batches/column-choices.ts'
import { columnChoice, listColumnChoices } from '../views/column-choice.ts'
import { id } from './fields.ts'
import { defineOperation } from './operation.ts'

export const columnOperations = {
  list: defineOperation({
    name: 'listColumns',
    summary: 'The columns that people chose, by headers',
    role: 'analyst',
    route: 'GET /columns',
    input: z.object({}),
    output: z.object({ columns: z.array(columnChoice) }),
    run: async ({ sql }) => ({ columns: await listColumnChoices(sql) }),
  }),
  forget: defineOperation({
    name: 'forgetColumns',
    summary: 'Deletes a choice of columns: such files are read by their headers again',
    role: 'ops',
    route: 'POST /columns/{choice}/forget',
    input: z.object({ choice: id }),
    output: z.object({ id: z.int(), forgotten: z.boolean() }),
    async run({ sql, by }, { choice }) {
      await forgetChoice(sql, choice, by)
      return { id: Number(choice), forgotten: true }
    },
  }),
}
