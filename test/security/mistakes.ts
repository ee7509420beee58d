import type { Installed } from '../cli/vigia-process.ts'
import { companies, people, spellings } from './canaries.ts'

/** A text that was shown to somebody, and where. */
export type ShownText = { where: string; text: string }

/** Calls the real program; its complaints are among the collected texts. */
export type Vigia = (...args: string[]) => Promise<string>

export type Page = (path: string, options?: RequestInit & { token?: string }) => Promise<void>

/** The page's answer to a mistake is an error text like any other. */
export const pageOf =
  (url: string, shownTexts: ShownText[]): Page =>
  async (path, { token, ...options } = {}) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...options.headers }
    const response = await fetch(new URL(path, url), { redirect: 'manual', ...options, headers })
    const text = await response.text()
    if (response.status < 400)
      throw new Error(`${path.slice(0, 20)} was meant to fail, and answered ${response.status}`)
    shownTexts.push({ where: `page ${response.status}`, text })
  }

export const mistakeOnPage = async (page: Page, admin: string, ops: string): Promise<void> => {
  const [person, cnpj] = [spellings[1]!(people[0]!), spellings[1]!(companies[1]!)]
  for (const text of [
    `Ana ${person};x\ny;z\n`,
    `${person};${person}\n`,
    `Ana ${cnpj};x\ny;z\n`,
    `${cnpj};${cnpj}\n`,
    '\0',
  ]) {
    const body = new FormData()
    body.append('file', new Blob([text]), `${people[2]}.csv`)
    await page('/api/batches', { token: ops, method: 'POST', body })
  }
  const json = { 'content-type': 'application/json' }
  const paths = [`/${people[0]}`, `/api/radars/${people[0]}`, `/batches/${people[0]}`, `/api/batches/${cnpj}`]
  for (const path of paths) await page(path, { token: admin })
  await page('/api/batches', { token: 'vig_stranger-canary' })
  await page('/api/batches?limit=52998224725', { token: ops })
  await page(`/api/batches/1/rows/2/resolve`, {
    token: admin,
    method: 'POST',
    headers: json,
    body: JSON.stringify({ adopt: people[0] }),
  })
  await page('/api/batches', { token: ops, method: 'POST', headers: json, body: `{"${person}": ${people[1]}` })
}

export const mistakeOnTerminal = async (g: Installed, vigia: Vigia): Promise<void> => {
  const person = spellings[1]!(people[0]!)
  const twice = await g.write('twice.csv', `${person};${person}\n${person};x\n`)
  const letters = await g.write('letters.csv', `${spellings[1]!(companies[1]!)};Ana\n`)
  await Promise.all([vigia('run', twice), vigia('submit', letters, '--json'), vigia('plan', `no-${people[1]}.csv`)])
  await Promise.all([
    vigia('batch', people[0]!),
    vigia('resolve', '1', '--line', '2', '--adopt', people[0]!, '--json'),
    vigia('purge', '--document', `${people[0]}1`),
  ])
  await Promise.all([vigia('lane', 'hold', companies[1]!), vigia('doctor'), vigia('sweep', person)])
}
