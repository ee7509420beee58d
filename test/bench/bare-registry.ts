import { Pool } from 'undici'
import { accounts, credentials } from '../../src/sandbox/tokens.ts'

type Created = { result: { userPlanConsumeAnalyticsId: number; userPlanConsumeUniqueId: number } }
export type Analysis = { id: number; uniqueId: number }
type Summary = Record<string, { totalProcess: number; vltotalProcess: string }>

/** The two calls of an analysis, made as plainly as undici can: `pool.request`, and the body as JSON. */
export const bareRegistry = (url: string, open: number) => {
  const pool = new Pool(url, { connections: open })
  const { organizationId, holderId, planId } = accounts[0]
  const headers = { authorization: `Bearer ${credentials.token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) })
    return answer.body.json()
  }
  return {
    async generate(documentNumber: string): Promise<Analysis> {
      const body = { holderId, organizationId, planId, documentType: 'CPF', documentNumber }
      const { result } = (await post('/v2/analytics', body)) as Created
      return { id: result.userPlanConsumeAnalyticsId, uniqueId: result.userPlanConsumeUniqueId }
    },
    async consult({ id, uniqueId }: Analysis): Promise<Summary> {
      const body = { holderId, organizationId, userPlanConsumeUniqueId: uniqueId }
      const { register } = (await post(`/v2/analytics/${id}`, body)) as { register: { summary: Summary } }
      return register.summary
    },
    close: () => pool.close(),
  }
}

/** Keeps the given number of tasks running until all are done. */
export const keepOpen = async (open: number, next: () => Promise<void> | null): Promise<void> => {
  const run = async () => {
    for (let work = next(); work; work = next()) await work
  }
  await Promise.all(Array.from({ length: open }, run))
}
