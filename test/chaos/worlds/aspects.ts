import type { ScenarioPatch } from '../../../src/sandbox/scenario.ts'
import type { WorldPatch } from '../../../src/sandbox/world.ts'

/** What a world is drawn for: its documents, and the largest list lag by the settings. */
export type Premise = { documents: string[]; strangers: string[]; listLagMs: number }

/** One option for one aspect that the interface leaves open. */
export type Option = {
  name: string
  world: WorldPatch
  faults?: ScenarioPatch['faults']
  /** What this option hides from everybody, so that a row may be parked for this reason and no other. */
  hides?: string
  /** It does not say whether its list shows everything. */
  isUndeclared?: boolean
  /** Documents of the file that it may also leave without an answer. */
  clouds?: string[]
  /** Documents of the file that the organization surely has already, by this option alone. */
  elsewhere?: string[]
  /** Hides the age of a purchase, which is no reason to park anything. */
  blurs?: boolean
}

type Aspect = (premise: Premise) => Option[]

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The zones in which dates without one are written, ours first. */
const zones = ['America/Sao_Paulo', 'America/Manaus', 'America/Noronha', 'UTC'] as const
const wallShapes = ['zoneless', 'brazilian', 'day', 'brazilianDay'] as const

const dates: Aspect = () => [
  ...(['zoned', 'epoch'] as const).map((shape) => ({ name: `dates ${shape}`, world: { dates: { shape } } })),
  { name: 'dates none', world: { dates: { shape: 'none' } }, blurs: true },
  ...wallShapes.flatMap((shape) =>
    zones.map((zone) => ({ name: `dates ${shape} ${zone}`, world: { dates: { shape, zone } } })),
  ),
]

const clock: Aspect = () => [
  ...[-3, 3, -90].map((minutes) => ({
    name: `clock ${minutes} min`,
    world: { dates: { clockMs: minutes * minuteMs } },
  })),
  ...[1, 20].map((minutes) => ({
    name: `three clocks ${minutes} min apart`,
    world: { dates: { apartMs: minutes * minuteMs } },
  })),
]

/** A page that is large enough for every analysis hides nothing, whatever its figures are. */
const page: Aspect = () => [
  { name: 'page 500', world: { list: { page: 500 } } },
  { name: 'page 500, total of the page', world: { list: { page: 500, total: 'page' } } },
  ...(['newest', 'oldest', 'any'] as const).flatMap((keep) =>
    (['all', 'page'] as const).map((total) => ({
      name: `page 10 ${keep}, total of ${total}`,
      world: { list: { page: 10, keep, total } },
      hides: 'a page of 10',
    })),
  ),
  ...(['newest', 'oldest'] as const).map((keep) => ({
    name: `page of 10 analyses ${keep}`,
    world: { list: { page: 10, of: 'analyses' as const, keep, total: 'page' as const } },
    hides: 'a page of 10 analyses',
  })),
  { name: 'page 1, total of the page', world: { list: { page: 1, total: 'page' } }, hides: 'a page of 1' },
]

const figures: Aspect = () =>
  (['length', 'analyses', 'zero', 'null'] as const).map((figures) => ({
    name: `figures ${figures}`,
    world: { list: { figures } },
    isUndeclared: true,
  }))

const order: Aspect = () =>
  (['oldest', 'shuffled'] as const).map((order) => ({ name: `order ${order}`, world: { list: { order } } }))

const per: Aspect = () => [{ name: 'item per analysis', world: { list: { per: 'analysis' } } }]

const bought = (name: string, documents: string[], ageMs: number, deleted = false): Option => ({
  name,
  world: { others: [{ documents, ageMs, deleted }] },
})

/** Colleagues bought a tenth of the file: now, within the freshness of the answer, or long before. */
const others: Aspect = ({ documents, strangers }) => [
  bought('others bought other documents', strangers, hourMs),
  bought('others bought ours just now', documents.slice(0, 6), 0),
  { ...bought('others bought ours 2 days ago', documents.slice(0, 6), 2 * dayMs), elsewhere: documents.slice(0, 6) },
  bought('others bought ours 60 days ago', documents.slice(0, 6), 60 * dayMs),
]

const deleted: Aspect = ({ documents }) => [
  bought('deleted ones listed', documents.slice(10, 16), hourMs, true),
  {
    ...bought('deleted ones hidden', documents.slice(10, 16), hourMs, true),
    world: {
      others: [{ documents: documents.slice(10, 16), ageMs: hourMs, deleted: true }],
      list: { deleted: 'hidden' },
    },
  },
]

const abroad = (documents: string[]) => [{ documents, ageMs: hourMs, organizationId: 7002 }]

const foreign: Aspect = ({ documents, strangers }) => [
  { name: 'foreign marked', world: { list: { foreign: 'marked' }, others: abroad(documents.slice(20, 26)) } },
  { name: 'foreign others unmarked', world: { list: { foreign: 'unmarked' }, others: abroad(strangers) } },
  {
    name: 'foreign ours unmarked',
    world: { list: { foreign: 'unmarked' }, others: abroad(documents.slice(20, 26)) },
    hides: 'purchases of another organization that look like ours',
    clouds: documents.slice(20, 26),
  },
]

const lag: Aspect = ({ listLagMs }) => [
  { name: 'listed late', world: { list: { lagMs: listLagMs / 5 } } },
  { name: 'listed after the time-out', world: { list: { lagMs: listLagMs * 0.9 } } },
  { name: 'each listed at its own time', world: { list: { lagMs: listLagMs * 0.9, lags: 'each' } } },
  { name: 'listed an hour late', world: { list: { lagMs: hourMs } }, hides: 'a list that is an hour late' },
]

const undated: Aspect = () =>
  [0.3, 1].map((share) => ({ name: `undated ${share}`, world: { list: { undated: share } }, blurs: true }))

const ids: Aspect = () => [{ name: 'text ids', world: { list: { ids: 'string' } } }]

const answers: Aspect = () => [
  { name: 'answers 40 days old', world: { answers: { ageDays: 40 } } },
  ...(['microseconds', 'zero', 'missing', 'null'] as const).map((createdAt) => ({
    name: `answers dated ${createdAt}`,
    world: { answers: { createdAt } },
  })),
]

const statusNames: Aspect = () => [
  { name: 'statuses in Portuguese', world: { words: { processing: 'EM_PROCESSAMENTO', initial: 'NAO_INICIADO' } } },
  {
    name: 'statuses in lower case',
    world: { words: { created: 'created', processing: 'processing', initial: 'initial' } },
  },
]

const serverFailure = JSON.stringify({ message: 'Internal server error', error: 'InternalServerError' })

/** Some calls are answered with the body of a server failure, under each code that such a body may have. */
const errors: Aspect = () =>
  [200, 400, 422, 500].map((status) => ({
    name: `errors as ${status}`,
    world: { errorStatus: status },
    faults: [
      { operation: 'generate' as const, fault: 'reply' as const, every: 11, times: 3, status, body: serverFailure },
    ],
  }))

const radars: Aspect = () => [{ name: 'radars cut', world: { radars: { page: 2 } } }]

/** Everything that the interface leaves open, each with the options that are not the sandbox's own. */
export const aspects = {
  dates,
  clock,
  page,
  figures,
  order,
  per,
  others,
  deleted,
  foreign,
  lag,
  undated,
  ids,
  answers,
  statusNames,
  errors,
  radars,
} satisfies Record<string, Aspect>
