import { Counter } from '@prometheus-io/client'
import type { FastifyRequest } from 'fastify'
import { Refusal, type RefusalCode } from '../../operations/operation.ts'
import { recordAudit } from '../../store/people/audit.ts'
import type { Site } from '../site/site.ts'

/** The codes of attempts to get in, or to do more than allowed. A request without any token is not such an attempt. */
const watched: readonly RefusalCode[] = ['wrong_token', 'used_link', 'not_allowed', 'not_bound', 'stale_form']

const windowMs = 60_000
const mostSources = 100

type Refused = { source: string; who: string; code: string; route: string; count: number }

export type Refusals = ReturnType<typeof createRefusals>

/**
 * Records refused requests: each in a metric; in the log and the audit log once for each source, and once more a minute
 * later with the number of those that followed. Attempts cannot fill a disk: after the hundredth source of a minute, all
 * further ones count as one.
 */
export const createRefusals = ({ sql, log, registryFigures }: Pick<Site, 'sql' | 'log' | 'registryFigures'>) => {
  const total = new Counter({
    name: 'vigia_refusals_total',
    help: 'Requests that this worker refused since it started: wrong tokens and sign-in links, expired forms, missing rights',
    labelNames: ['code'],
    registers: [registryFigures.metrics],
  })
  const following = new Map<string, Refused>()
  let timer: NodeJS.Timeout | null = null

  const record = async ({ who, ...facts }: Refused): Promise<void> => {
    log.warn({ who, ...facts }, 'request refused')
    await recordAudit(sql, who, 'refused', 'page', facts).catch((error) =>
      log.error({ err: error }, 'refusal not in the audit log'),
    )
  }
  const flush = async (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    const counted = [...following.values()].filter(({ count }) => count > 0)
    following.clear()
    for (const each of counted) await record(each)
  }
  return {
    /** Records the error that a request ends with, if it is one of these codes. */
    async note(request: FastifyRequest, error: Error & { statusCode?: number }): Promise<void> {
      const code = error instanceof Refusal ? error.code : error.statusCode === 429 ? 'too_many' : null
      if (!code || (error instanceof Refusal && !watched.includes(error.code))) return
      total.inc({ code })
      timer ??= setTimeout(flush, windowMs).unref()
      const source = following.size < mostSources ? request.ip : 'others'
      const refused = {
        source,
        who: request.visitor?.name ?? 'nobody',
        code,
        route: request.routeOptions.url ?? 'none',
      }
      const known = following.get(`${request.ip} ${code}`) ?? following.get(`${source} ${code}`)
      if (known) known.count++
      else {
        following.set(`${source} ${code}`, { ...refused, count: 0 })
        await record({ ...refused, count: 1 })
      }
    },
    flush,
  }
}
