import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'
import type { Site } from '../site.ts'
import { page, type Visit } from '../visit.ts'
import { eraseSection } from './erase-section.ts'
import { lanesSection } from './lanes-section.ts'
import { schedulesSection } from './schedules-section.ts'
import { spendingSection } from './spending-section.ts'
import { queuesSection, workersSection } from './workers-section.ts'

/** How the whole of it stands: lanes, workers, queues, recurring tasks, spending. */
export const addSystemPage = (app: FastifyInstance, site: Site): void => {
  page(app, site, 'analyst', '/system', async (visit) => {
    const { words } = visit
    const body = html`<div class="section-head"><h1>${words.system.title}</h1>${visit.may('admin') && html`<a class="button" href="/system/audit">${words.system.audit}</a>`}</div>
      ${await lanesSection(visit)}
      <div class="columns">${await workersSection(visit)}${await queuesSection(visit)}</div>
      ${await schedulesSection(visit)}
      ${await spendingSection(visit)}
      ${visit.may('admin') && eraseSection(visit)}
      ${await disk(visit)}`
    return layout(visit, { title: words.system.title, section: 'system', body, plots: true })
  })
}

const disk = async ({ site, words, format }: Visit): Promise<Html | null> => {
  const stats = await statfs(site.home.path).catch(() => null)
  return stats && html`<p class="quiet-text">${words.system.disk(format.bytes(stats.bavail * stats.bsize))}</p>`
}
