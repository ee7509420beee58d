import { z } from 'zod'
import { dismissFile } from '../batches/uploads.ts'
import { inEnglish } from '../messages/message.ts'
import { listRejected } from '../store/batches/rejected-files.ts'
import { iso, kind, masked, moment, shownText } from '../views/fields.ts'
import { id } from './fields.ts'
import { defineOperation } from './operation.ts'

const mostRejected = 1_000

export const fileOperations = {
  rejected: defineOperation({
    name: 'listRejected',
    summary: 'The files of the inbox that could not be read, and why',
    role: 'ops',
    route: 'GET /uploads',
    input: z.object({}),
    output: z.object({
      files: z.array(
        z.object({
          upload: z.int(),
          fileName: masked,
          organization: z.int(),
          kind,
          rejected: moment,
          problem: masked,
          kept: z.boolean().describe('whether the page can ask how to read it'),
        }),
      ),
    }),
    run: async ({ sql }) => ({
      files: (await listRejected(sql, mostRejected)).map((file) => ({
        upload: Number(file.id),
        fileName: shownText(file.fileName),
        organization: Number(file.organizationId),
        kind: file.kind,
        rejected: iso(file.rejectedAt),
        problem: shownText(inEnglish(file.problem)),
        kept: file.kept,
      })),
    }),
  }),
  dismiss: defineOperation({
    name: 'dismissFile',
    summary: 'Takes a rejected file off the list',
    role: 'ops',
    route: 'POST /uploads/{upload}/dismiss',
    input: z.object({ upload: id }),
    output: z.object({ upload: z.int(), dismissed: z.boolean() }),
    async run({ sql, by }, { upload }) {
      await dismissFile(sql, upload, by)
      return { upload: Number(upload), dismissed: true }
    },
  }),
}
