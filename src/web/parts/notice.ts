import { type Html, html } from '../html.ts'
import type { Visit } from '../visit.ts'
import type { Words } from '../words/en.ts'

export type NoticeName = keyof Words['notices']

/** What the last action did, by its name in the address; a name that is not ours says nothing. */
export const noticeNamed = ({ request, words }: Visit): NoticeName | null => {
  const name = (request.query as Record<string, string> | undefined)?.notice
  return name && Object.hasOwn(words.notices, name) ? (name as NoticeName) : null
}

export const notice = (visit: Visit): Html | null => {
  const name = noticeNamed(visit)
  return name && html`<p class="notice" role="status">${visit.words.notices[name]}</p>`
}
