import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/home/free-port.ts'
import { until } from '../support/until.ts'

/** A firing alert as text: its name, its labels and its summary. */
export type Firing = { name: string; about: string; summary: string }

export type Prometheus = AsyncDisposable & {
  /** Scrapes the worker with this page, and no other. */
  watch(page: string): Promise<void>
  /** How many targets answered their last scrape. */
  up(): Promise<number>
  firing(): Promise<Firing[]>
  /** The names of all alerts that ever fired. */
  everFired(): Promise<string[]>
}

/** Debian's Prometheus on loopback with a temporary store; it scrapes and evaluates every second. */
export const startPrometheus = async (rules: string): Promise<Prometheus> => {
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'vigia-prometheus-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'rules.yaml'), rules)
  await writeFile(join(folder, 'prometheus.yaml'), settings)
  const watch = watchIn(folder)
  await watch(null)
  const address = `127.0.0.1:${await freePort()}`
  starting.use(await startProgram(folder, address))
  const ask = async (path: string) => {
    const answer = await fetch(`http://${address}${path}`)
    if (!answer.ok) throw new Error(`Prometheus answered ${answer.status} to ${path}: ${await answer.text()}`)
    return answer
  }
  await until(() => ask('/-/ready').catch(() => null), 30_000)
  const read = async (path: string) => (await (await ask(path)).json()).data
  const started = starting.move()
  return {
    watch,
    async up() {
      const { result } = await read('/api/v1/query?query=sum(up)')
      return Number(result[0]?.value[1] ?? 0)
    },
    firing: async () => firingOf(await read('/api/v1/alerts')),
    everFired: async () =>
      namesOf(await read(`/api/v1/series?match[]=${encodeURIComponent('ALERTS{alertstate="firing"}')}`)),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const settings = `
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [rules.yaml]
scrape_configs:
  - job_name: vigia
    file_sd_configs: [{ files: [workers.json], refresh_interval: 1s }]
`

/** A restarted worker has a new port; the list of targets is replaced. */
const watchIn = (folder: string) => async (page: string | null) => {
  const draft = join(folder, 'workers.draft')
  await writeFile(draft, JSON.stringify(page ? [{ targets: [new URL(page).host] }] : []))
  await rename(draft, join(folder, 'workers.json'))
}

const startProgram = async (folder: string, address: string): Promise<AsyncDisposable> => {
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  await once(child, 'spawn')
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

type Alerts = { alerts: { state: string; labels: Record<string, string>; annotations: Record<string, string> }[] }

const firingOf = ({ alerts }: Alerts): Firing[] =>
  alerts
    .filter(({ state }) => state === 'firing')
    .map(({ labels: { alertname = '', severity: _, ...about }, annotations }) => ({
      name: alertname,
      about: Object.values(about).join(' '),
      summary: annotations.summary ?? '',
    }))
    .sort((a, b) => `${a.name} ${a.about}`.localeCompare(`${b.name} ${b.about}`))

const namesOf = (series: { alertname: string }[]): string[] =>
  [...new Set(series.map(({ alertname }) => alertname))].sort()
