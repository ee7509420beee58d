import { judgedAfterMs } from '../../../src/domain/advance.ts'
import { dateText } from '../../../src/sandbox/moments.ts'
import { cpf } from '../../support/documents.ts'
import type { Dice } from '../plan/dice.ts'
import type { Fault, Plan } from '../plan/plan.ts'
import { type Purchase, purchaseList } from './purchase-list.ts'
import { type Figures, figuresAt, type RadarsAway, radarList, wrongList } from './radars.ts'

export type Question = {
  method: string
  path: string
  at?: Record<string, string | number>
  body?: Record<string, unknown>
}

export type Answer = { status: number; body: unknown; items?: unknown[]; raw?: string; retryAfter?: number }

/** What becomes of a request: answered, worked without an answer, or neither. */
export type Reception = { is: 'answered'; answer: Answer } | { is: 'closed' } | { is: 'hanging' }

/** Described of what money and answers depend on. */
export type Witness = {
  charged(purchase: Purchase): void
  /** A list left out these of ours, which it had time to show. */
  hid(purchases: readonly Purchase[]): void
  note(text: string): void
}

export type ModelRegistry = {
  readonly purchases: readonly Purchase[]
  /** When it sent a list of radars that was wrong. */
  readonly wrongListsAt: readonly number[]
  receive(question: Question, bearer: string): Reception
  /** Whether a paid call is worked late, or never arrives. */
  wayOf(question: Question): 'usual' | 'late' | 'closed_before' | 'hang_before'
  colleagueBuys(document: number, kind: Purchase['kind'], at: number): void
  remove(document: string): void
  /** Purchases of a document that stand. */
  standing(document: string, kind: Purchase['kind'], organizationId: number): Purchase[]
  outageUntil(until: number, how: Outage): void
  planEndsUntil(until: number, how: PlanEnd): void
  refusesAnswersUntil(until: number): void
  listAwayUntil(until: number, how: 'error' | 'hang' | 'array'): void
  radarsAwayUntil(until: number, how: RadarsAway): void
  expireToken(): void
  tokenDiesUntil(until: number): void
}

type Outage = 'error' | 'closed' | 'hang' | 'html'
type PlanEnd = 'named' | 'payment' | 'forbidden'

const failure: Answer = { status: 500, body: { message: 'Internal server error', error: 'InternalServerError' } }
const html: Answer = { status: 503, body: undefined, raw: '<html>Service Unavailable</html>' }
const planNotAllowed: Answer = { status: 403, body: { status: 'PLAN_NOT_ALLOWED', message: 'Plano sem saldo' } }
const paymentRequired: Answer = { status: 402, body: { message: 'Saldo esgotado', error: 'SaldoEsgotado' } }
const forbidden: Answer = { status: 403, body: { message: 'Access Denied', error: 'ErrorForbiddenException' } }
const refusals: Record<PlanEnd, Answer> = { named: planNotAllowed, payment: paymentRequired, forbidden }
const notFound: Answer = { status: 404, body: { message: 'CNH not found', error: 'ObjectNotFoundException' } }
const unauthorized: Answer = { status: 401, body: { message: 'token' } }

/** The number of each document that a history may ask about. */
export const numberOf = new Map(Array.from({ length: 400 }, (_, i) => [cpf(i), i]))

export const createModelRegistry = (plan: Plan, dice: Dice, now: () => number, witness: Witness): ModelRegistry => {
  const { registry } = plan
  const startedAt = now()
  const wrongListsAt: number[] = []
  const purchases: Purchase[] = []
  const byId = new Map<string, Purchase>()
  const counts = new Map<string, number>()
  const faults = new Map(plan.calls.map(({ document, nth, fault }) => [`${document} ${nth}`, fault]))
  const never = new Set(registry.neverReady.map(cpf))
  let token = 1
  let outage = { until: 0, how: 'error' as Outage }
  let planEnd = { until: 0, how: 'named' as PlanEnd }
  let refusesAnswers = 0
  let listAway = { until: 0, how: 'error' as 'error' | 'hang' | 'array' }
  let radarsAway = { until: 0, how: 'error' as RadarsAway }
  let tokenDead = 0

  /** What the registry knows of a document at a moment; null where nothing is monitored. */
  const figuresOf = (document: string, at: number): Figures | null =>
    plan.radars && figuresAt(plan.radars, numberOf.get(document)!, at - startedAt)

  const buy = (
    document: string,
    kind: Purchase['kind'],
    organizationId: number,
    at: number,
    isOurs: boolean,
  ): Purchase => {
    const { dates, lagMs, lags } = registry
    const clock = at + dates.clockMs + (dates.apartMs ? (dice.below(3) - 1) * dates.apartMs : 0)
    const purchase: Purchase = {
      id: 5_000_000 + purchases.length,
      uniqueId: 1_000_000 + purchases.length,
      kind,
      document,
      organizationId,
      at,
      visibleAt: at + (lags === 'each' ? dice.below(lagMs + 1) : lagMs),
      deletedAt: null,
      lapsesAt: null,
      isOurs,
      readyAt: never.has(document) ? Number.POSITIVE_INFINITY : at + registry.readyMs,
      text: dateText(clock, dates.shape, dates.zoneMs),
    }
    purchases.push(purchase)
    byId.set(String(purchase.id), purchase)
    return purchase
  }

  const charge = (document: string, kind: Purchase['kind'], organizationId: number): Purchase => {
    const purchase = buy(document, kind, organizationId, now(), true)
    witness.charged(purchase)
    return purchase
  }

  const isOut = () => now() < outage.until
  const outageAnswer = (): Reception => {
    if (outage.how === 'hang') return { is: 'hanging' }
    if (outage.how === 'closed') return { is: 'closed' }
    return answered(outage.how === 'html' ? html : failure)
  }

  const paid = (kind: Purchase['kind'], { body }: Question): Reception => {
    const document = String(body?.documentNumber ?? body?.document)
    const organizationId = Number(body?.organizationId)
    const fault = takeFault(kind, document)
    if (now() < planEnd.until) return answered(refusals[planEnd.how])
    if (fault && !works[fault]) return { ...answered(unworked[fault] ?? failure) }
    const purchase = charge(document, kind, organizationId)
    const { requestTimeoutMs } = plan.settings
    if (registry.lapses && fault && losesAnswer.includes(fault))
      purchase.lapsesAt = now() + judgedAfterMs(requestTimeoutMs) - requestTimeoutMs
    if (!fault || fault === 'late') return answered(kind === 'cnh' ? recordOf(purchase) : created(purchase))
    if (fault === 'mixed_up') return answered(mixedUp(kind, purchase))
    if (fault === 'lost_after') return { is: 'closed' }
    if (fault === 'hang_after') return { is: 'hanging' }
    return answered(worked[fault] ?? failure)
  }

  const nth = (kind: string, document: string): string =>
    `${numberOf.get(document)} ${counts.get(`${kind} ${document}`) ?? 0}`

  const takeFault = (kind: string, document: string): Fault | undefined => {
    const fault = faults.get(nth(kind, document))
    const key = `${kind} ${document}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return fault
  }

  const recordOf = (p: Purchase): Answer => ({
    status: 201,
    body: {
      requestId: String(p.id),
      organizationId: p.organizationId,
      document: p.document,
      status: now() >= p.readyAt ? 'DONE' : 'QUEUED',
      data: now() >= p.readyAt ? { of: p.document } : null,
      createdAt: p.text ?? null,
      updatedAt: null,
    },
  })

  const consult = ({ at }: Question): Answer => {
    if (now() < refusesAnswers) return planNotAllowed
    const asked = byId.get(String(at?.analysisId))
    const p = asked && mayMix(asked)
    if (!p || p.deletedAt !== null) return { status: 404, body: { success: false, reason: 'Analysis not found' } }
    const status = now() >= p.readyAt ? 'DONE' : 'PROCESSING'
    const register = {
      documentNumber: p.document,
      userPlanConsumeAnalyticsId: p.id,
      status,
      statusIndex: status,
      statusReport: status,
      statusProtest: 'INITIAL',
      summary: {
        ALL: { vltotalProcess: '1,00', totalProcess: 1 },
        ...summaryOf(figuresOf(p.document, p.at)),
        [`OF_${p.document}`]: { totalProcess: 1 },
      },
      createdAt: '18/11/2026 10:00:00',
      urlTempFull: `https://storage.invalid/${now()}`,
    }
    return { status: 200, body: { success: true, reason: '', register } }
  }

  /** An answer that belongs to another question. */
  const mayMix = (p: Purchase): Purchase =>
    registry.mixed > 0 && dice.chance(registry.mixed) ? { ...p, document: cpf(399) } : p

  const latestLicence = ({ at }: Question): Answer => {
    const found = purchases.filter(
      (p) =>
        p.kind === 'cnh' &&
        p.document === at?.document &&
        p.organizationId === Number(at?.organizationId) &&
        p.deletedAt === null &&
        now() >= p.at,
    )
    const latest = found.at(-1)
    return latest ? { ...recordOf(latest), status: 200 } : notFound
  }

  const readLicence = ({ at }: Question): Answer => {
    if (now() < refusesAnswers) return planNotAllowed
    const p = byId.get(String(at?.requestId))
    return p && p.deletedAt === null && now() >= p.at + registry.hidesNewMs
      ? { ...recordOf(mayMix(p)), status: 200 }
      : notFound
  }

  const list = ({ at }: Question): Reception => {
    if (now() < listAway.until) {
      if (listAway.how === 'hang') return { is: 'hanging' }
      return answered(listAway.how === 'array' ? { status: 200, body: [] } : failure)
    }
    const salt = dice.below(1_000_000)
    const chance = (n: number): number => (Math.imul(n ^ salt, 2_654_435_761) >>> 0) / 4_294_967_296
    const lapses = (p: Purchase): boolean => p.lapsesAt !== null && p.lapsesAt <= now()
    const listed = purchases.filter((p) => !lapses(p))
    const { body, items, hidden } = purchaseList(listed, Number(at?.organizationId), registry, now(), chance)
    for (const p of purchases) if (lapses(p)) p.lapsesAt = null
    witness.hid(hidden)
    return answered({ status: 200, body, items: plan.radars ? items.map(withTotals) : items })
  }

  const withTotals = (item: { documentNumber: string }) => {
    const { totalRisk, totalAnalyzed } = figuresOf(item.documentNumber, now())!
    return { ...item, latestTotalRisk: totalRisk, latestTotalAnalyzed: totalAnalyzed }
  }

  const listRadars = ({ at }: Question): Reception => {
    const isOther = !plan.radars || Number(at?.organizationId) !== 7001
    const radars = isOther ? [] : radarList(plan.radars!, now() - startedAt)
    if (now() >= radarsAway.until || isOther) return answered({ status: 200, body: radars })
    if (radarsAway.how === 'hang') return { is: 'hanging' }
    if (radarsAway.how === 'error') return answered(failure)
    wrongListsAt.push(now())
    return answered({ status: 200, body: wrongList(radars, radarsAway.how) })
  }

  const countProcesses = ({ body }: Question): Answer => {
    const documentNumber = String(body?.documentNumber)
    const total = figuresOf(documentNumber, now())?.processes ?? 0
    return { status: 200, body: { success: true, reason: '', total, result: [{ documentNumber }] } }
  }

  const refresh = (): Reception => {
    if (now() < tokenDead) return answered(unauthorized)
    token++
    return answered({ status: 200, body: { email: '', username: '', token: `token-${token}` } })
  }

  return {
    purchases,
    wrongListsAt,
    wayOf({ path, body }) {
      const kind = paidPaths[path]
      const fault = kind && faults.get(nth(kind, String(body?.documentNumber ?? body?.document)))
      if (fault === 'late') return 'late'
      if (fault === 'lost_before' || fault === 'hang_before') {
        takeFault(kind!, String(body?.documentNumber ?? body?.document))
        return fault === 'lost_before' ? 'closed_before' : 'hang_before'
      }
      return 'usual'
    },
    receive(question, bearer) {
      if (isOut()) return outageAnswer()
      if (question.path === '/v1/refreshtoken') return refresh()
      if (bearer !== `token-${token}` || now() < tokenDead) return answered(unauthorized)
      const kind = paidPaths[question.path]
      if (kind) return paid(kind, question)
      if (question.path === '/v2/analytics/{analysisId}') return answered(consult(question))
      if (question.path.endsWith('/activities')) return list(question)
      if (question.path.endsWith('/radars')) return listRadars(question)
      if (question.path.endsWith('/process')) return answered(countProcesses(question))
      return answered(question.path.endsWith('/document/{document}') ? latestLicence(question) : readLicence(question))
    },
    colleagueBuys: (document, kind, at) => void buy(cpf(document), kind, 7001, at, false),
    remove(document) {
      for (const p of purchases) if (p.document === document && p.deletedAt === null) p.deletedAt = now()
    },
    standing: (document, kind, organizationId) =>
      purchases.filter(
        (p) =>
          p.document === document && p.kind === kind && p.organizationId === organizationId && p.deletedAt === null,
      ),
    outageUntil(until, how) {
      outage = { until, how }
    },
    planEndsUntil(until, how) {
      planEnd = { until, how }
    },
    refusesAnswersUntil(until) {
      refusesAnswers = until
    },
    listAwayUntil(until, how) {
      listAway = { until, how }
    },
    radarsAwayUntil(until, how) {
      radarsAway = { until, how }
    },
    expireToken: () => void token++,
    tokenDiesUntil(until) {
      tokenDead = until
      token++
    },
  }
}

const answered = (answer: Answer): Reception => ({ is: 'answered', answer })

export const paidPaths: Record<string, Purchase['kind']> = { '/v2/analytics': 'analysis', '/v1/cnh': 'cnh' }

const losesAnswer: readonly Fault[] = ['lost_after', 'hang_after', 'late']

/** Faults in which the call is worked, and charged. */
const works: Partial<Record<Fault, boolean>> = {
  lost_after: true,
  hang_after: true,
  late: true,
  refused_charged: true,
  payment_required_charged: true,
  forbidden_charged: true,
  invalid_charged: true,
  mixed_up: true,
  error_charged: true,
  html_charged: true,
  token_charged: true,
}

const refused: Answer = { status: 200, body: { success: false, reason: 'Falha interna' } }

const worked: Partial<Record<Fault, Answer>> = {
  refused_charged: refused,
  payment_required_charged: paymentRequired,
  forbidden_charged: forbidden,
  invalid_charged: { status: 400, body: { status: 'INVALID_DOCUMENT', message: 'CPF' } },
  error_charged: failure,
  html_charged: { status: 200, body: undefined, raw: '<html></html>' },
  token_charged: unauthorized,
}

const unworked: Partial<Record<Fault, Answer>> = {
  refused,
  payment_required: paymentRequired,
  error: failure,
  too_many: { status: 429, body: { message: 'slow down' }, retryAfter: 1_000 },
}

const created = (p: Purchase): Answer => ({
  status: 201,
  body: {
    status: 'CREATED',
    result: { documentNumber: p.document, userPlanConsumeUniqueId: p.uniqueId, userPlanConsumeAnalyticsId: p.id },
  },
})

const summaryOf = (figures: Figures | null) =>
  figures && {
    RISK_WORKER: { vltotalProcess: (figures.cents / 100).toFixed(2).replace('.', ','), totalProcess: figures.count },
  }

/** The reply to another's question. */
const mixedUp = (kind: Purchase['kind'], p: Purchase): Answer => {
  const other = p.document === cpf(399) ? cpf(398) : cpf(399)
  if (kind === 'cnh')
    return { status: 201, body: { requestId: String(p.id), document: other, status: 'DONE', data: { of: other } } }
  return created({ ...p, document: other })
}
