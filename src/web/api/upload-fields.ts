import { z } from 'zod'
import { portfolioKinds } from '../../domain/portfolio.ts'
import { legalBases, longestPurpose } from '../../domain/purpose.ts'

/** How to read the file of a form, if its headers do not say it. */
export const listFields = z.object({
  column: z
    .array(z.string())
    .optional()
    .describe('documento=Doc. Cliente; a column without a name by its number: documento=2'),
  sheet: z.string().optional().describe('all: every sheet with documents'),
  headerLine: z.string().optional().describe('0: the file has no header'),
  documentType: z.enum(['CPF', 'CNPJ']).optional(),
})

/** Why the people of the file are looked up; `purpose.default` where left out. */
const purposeFields = {
  purpose: z.string().max(longestPurpose).optional(),
  legalBasis: z.enum(legalBases).optional().describe('LGPD, article 7'),
}

/** The fields of a form whose file becomes a batch. */
export const batchFields = z.object({
  kind: z.string().optional(),
  organization: z.string().optional(),
  maxSpend: z.string().optional(),
  encoding: z.string().optional(),
  format: z.string().optional(),
  language: z.string().optional(),
  ...purposeFields,
  ...listFields.shape,
})

/** The fields of a form whose file becomes a portfolio. */
export const portfolioFields = z.object({
  name: z.string(),
  kind: z.enum(portfolioKinds).optional().describe('analysis where left out'),
  every: z.string().describe('how long after a run the next one begins, such as 30d'),
  organization: z.string().optional(),
  ...purposeFields,
  ...listFields.shape,
})
