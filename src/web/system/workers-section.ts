import { listQueues } from '../../queue/boss-tables.ts'
import { listWorkers } from '../../store/workers.ts'
import { type Html, html } from '../html.ts'
import type { Visit } from '../visit.ts'

/** Who is alive, and how the bound is shared. */
export const workersSection = async ({ words, format, site }: Visit): Promise<Html> => {
  const workers = await listWorkers(site.engine.sql)
  const handedOut = workers.reduce((sum, { share }) => sum + share, 0)
  const now = site.engine.clock().getTime()
  return html`<section aria-labelledby="workers-title"><h2 id="workers-title">${words.system.workers}</h2>
    <p>${words.system.bound(format.count(handedOut), format.count(site.settings.concurrency.fleet))}</p>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.system.host}</th><th scope="col" class="number">${words.system.share}</th><th scope="col" class="number">${words.system.open}</th><th scope="col">${words.system.beat}</th></tr></thead>
    <tbody>${workers.map(
      ({ host, pid, share, open, beatAt }) => html`<tr><th scope="row">${host} <small>${pid}</small></th>
      <td data-label="${words.system.share}" class="number">${format.count(share)}</td><td data-label="${words.system.open}" class="number">${format.count(open)}</td><td data-label="${words.system.beat}">${format.duration(now - beatAt.getTime())}</td></tr>`,
    )}</tbody></table></div></section>`
}

export const queuesSection = async ({ words, format, site }: Visit): Promise<Html> => {
  const queues = await listQueues(site.engine.sql)
  return html`<section aria-labelledby="queues-title"><h2 id="queues-title">${words.system.queues}</h2>
    ${
      queues.length === 0
        ? html`<p class="empty good">${words.system.noQueues}</p>`
        : html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.system.queue}</th><th scope="col" class="number">${words.system.waiting}</th>
      <th scope="col" class="number">${words.system.active}</th><th scope="col" class="number">${words.system.failing}</th></tr></thead>
    <tbody>${queues.map(
      ({ name, waiting, active, retrying }) =>
        html`<tr><th scope="row"><code>${name}</code></th><td data-label="${words.system.waiting}" class="number">${format.count(waiting)}</td><td data-label="${words.system.active}" class="number">${format.count(active)}</td><td data-label="${words.system.failing}" class="number">${format.count(retrying)}</td></tr>`,
    )}</tbody></table></div>`
    }</section>`
}
