import { submitFile } from '../../batches/submit.ts'
import { submitted, toSubmittedView } from '../../views/submitted.ts'
import { receiveFile } from '../actions/upload.ts'
import { apiRoute } from './api-route.ts'
import { batchFields } from './upload-fields.ts'

export const batchRoutes = [
  apiRoute({
    method: 'POST',
    path: '/batches',
    role: 'ops',
    name: 'submitBatch',
    summary:
      'Submits a file; its batch needs approval before it spends. Fields before the file: kind, organization, maxSpend, encoding, format, language, column (several), sheet, headerLine (0: no header), documentType',
    upload: batchFields,
    reply: submitted,
    async answer({ site, request }) {
      const { sql, boss } = site.engine
      return toSubmittedView(sql, await receiveFile(site, request, (file) => submitFile(sql, boss, file)))
    },
  }),
]
