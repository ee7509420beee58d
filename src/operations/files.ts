import { z } from 'zod'
import { purposeFor, type Submission, submitFile } from '../batches/submit.ts'
import { dismissFile } from '../batches/uploads.ts'
import { batchLimit } from '../domain/amount.ts'
import { reportEncodings, reportFormats } from '../domain/batch.ts'
import { freshSinceOf } from '../domain/duration.ts'
import { kinds } from '../domain/kind.ts'
import { legalBases } from '../domain/purpose.ts'
import { addColumn, type ColumnNames, type ReadOptions } from '../files/columns/read-options.ts'
import { columnRoles, isColumnRole } from '../files/columns/roles.ts'
import { type Language, languages } from '../messages/languages.ts'
import { listRejected } from '../store/batches/uploads.ts'
import { submitted, toSubmittedView } from '../views/batch-status.ts'
import { bigId, kind, masked, message, moment, toView } from '../views/fields.ts'
import { type Context, defineOperation, file, id, purpose, Refusal } from './operation.ts'

/** How to read a file, if its headers do not say it. */
export const readOptionFields = {
  column: z
    .array(z.string())
    .optional()
    .describe(
      `the column of a role: ${columnRoles.join(', ')}; several of documento: each row is asked about each; a column without a name by its number`,
    ),
  sheet: z
    .string()
    .optional()
    .describe('sheet of a workbook, or `all` for every one with documents (default: the first with documents)'),
  headerLine: z
    .int({ error: 'no_line_number' })
    .min(0, 'no_line_number')
    .max(999_999_999, 'no_line_number')
    .optional()
    .describe('line of the header, if titles are above it; 0: the file has no header'),
  documentType: z.enum(['CPF', 'CNPJ']).optional().describe('CPF or CNPJ, for documents that could be either'),
}

/** Why the people of the file are looked up; `purpose.default` where left out. */
export const whyFields = {
  purpose,
  legalBasis: z.enum(legalBases).optional().describe('LGPD, article 7'),
}

export const organization = z
  .int()
  .min(0)
  .optional()
  .describe('act for this organization (default: the first of the settings)')

const languageNames = Object.keys(languages) as Language[]

const submitInput = z.object({
  kind: z
    .enum(kinds)
    .default('analysis')
    .describe(`what to look up: ${kinds.join(', ')}`),
  organization,
  maxSpend: z
    .int({ error: 'no_number' })
    .min(0, 'no_number')
    .max(2_000_000_000, 'no_number')
    .optional()
    .describe('limit of paid calls; the rest ends as over_budget'),
  encoding: z
    .enum(reportEncodings)
    .default('utf8')
    .describe('encoding of the report: utf8, or same as the input (default: utf8)'),
  format: z.enum(reportFormats).optional().describe('csv, or xlsx to add a workbook (default: that of the input)'),
  language: z
    .enum(languageNames)
    .optional()
    .describe(`language of the reports: ${languageNames.join(', ')} (default: that of the settings)`),
  ...whyFields,
  ...readOptionFields,
  file,
})

type Submitting = Pick<Context, 'settings' | 'clock' | 'by' | 'accounts'>

/** The batch that a file becomes; it needs approval before it spends. */
export const submissionOf = (context: Submitting, input: z.output<typeof submitInput>): Submission => {
  const { settings, clock, by, accounts } = context
  const { kind, organization, maxSpend, encoding, format, language, file } = input
  return {
    bytes: file.bytes,
    fileName: file.name.slice(0, 255),
    organizationId: servedAccount(accounts, organization).organizationId,
    kind,
    source: 'page',
    by,
    maxSpend: batchLimit(settings.budget, maxSpend),
    confirmAbove: -1,
    encoding,
    format,
    language,
    spreadsheets: false,
    purpose: purposeFor(settings.purpose, purposeIn(input)),
    freshSince: freshSinceOf(settings.forKind[kind], clock()),
    choice: choiceIn(input),
  }
}

/** The account of the organization that was given, or the first of those that the caller may act for. */
export const servedAccount = <Account extends { organizationId: number }>(
  accounts: readonly Account[],
  wanted?: number,
): Account => {
  const account = wanted === undefined ? accounts[0] : accounts.find((each) => each.organizationId === wanted)
  if (account) return account
  throw noOrganization(accounts, wanted)
}

export const noOrganization = (accounts: readonly { organizationId: number }[], wanted: unknown = ''): Refusal => {
  const known = accounts.map(({ organizationId }) => organizationId).join(', ') || '–'
  return new Refusal(422, 'wrong_request', ['no_organization', JSON.stringify(String(wanted)), known])
}

/** The legal basis and the text, as `--purpose` has them. */
export const purposeIn = ({ legalBasis, purpose }: { legalBasis?: string; purpose?: string }): string =>
  [legalBasis, purpose?.trim()].filter(Boolean).join(': ')

type Reading = z.output<z.ZodObject<typeof readOptionFields>>

export const choiceIn = ({ column = [], sheet, headerLine, documentType }: Reading): ReadOptions => {
  let columns: ColumnNames = {}
  for (const text of column) {
    const [, role = '', header = ''] = /^\s*(\w+)\s*=\s*(.*\S)\s*$/s.exec(text) ?? []
    if (!isColumnRole(role)) throw new Refusal(422, 'wrong_request', ['no_role', JSON.stringify(text.slice(0, 40))])
    const added = addColumn(columns, role, header)
    if ('problem' in added) throw new Refusal(422, 'wrong_request', added.problem)
    columns = added
  }
  return { ...(column.length > 0 && { columns }), sheet, headerLine, documentType }
}

/** The picker of the page has two fields for each column: `role-N`, of the column with the header `header-N`. */
export const pickedColumns = (form: Record<string, string>): string[] =>
  Object.entries(form).flatMap(([name, role]) =>
    role && name.startsWith('role-') ? `${role}=${form[`header-${name.slice(5)}`] ?? ''}` : [],
  )

const rejected = z.object({
  upload: bigId,
  fileName: masked,
  organization: bigId,
  kind,
  rejected: moment,
  problem: message.describe('documents in it are masked'),
  kept: z.boolean().describe('whether the page can ask how to read it'),
})

const mostRejected = 1_000

export const fileOperations = {
  submit: defineOperation('submitBatch', 'ops', 'POST /batches', {
    summary:
      'Submits a file; its batch needs approval before it spends. Fields before the file: kind, organization, maxSpend, encoding, format, language, column (several), sheet, headerLine (0: no header), documentType',
    input: submitInput,
    output: submitted,
    async run(context, input) {
      const { sql, queues } = context
      return toSubmittedView(sql, await submitFile(sql, await queues(), submissionOf(context, input)))
    },
  }),
  rejected: defineOperation('listRejected', 'ops', 'GET /uploads', {
    summary: 'The files of the inbox that could not be read, and why',
    output: z.object({ files: z.array(rejected) }),
    run: async ({ sql }) => ({
      files: (await listRejected(sql, mostRejected)).map(({ id, organizationId, rejectedAt, ...file }) =>
        toView(rejected, { ...file, upload: id, organization: organizationId, rejected: rejectedAt }),
      ),
    }),
  }),
  dismiss: defineOperation('dismissFile', 'ops', 'POST /uploads/{upload}/dismiss', {
    summary: 'Takes a rejected file off the list',
    input: z.object({ upload: id }),
    output: z.object({ upload: z.int(), dismissed: z.boolean() }),
    async run({ sql, by }, { upload }) {
      await dismissFile(sql, upload, by)
      return { upload: Number(upload), dismissed: true }
    },
  }),
}
