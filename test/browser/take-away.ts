import type { Download, Page } from 'playwright-core'
import { sheetsIn } from '../support/read-report.ts'

/** Waits until the batch is done and its page has reloaded for the last time, so that it cannot cancel a later click. */
export const batchOver = (page: Page): Promise<void> =>
  page.locator('#live:not([hx-sse\\:connect]) .state-done').waitFor()

/** Follows a download link. */
export const downloaded = async (page: Page, link: string): Promise<Download> => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link }).click()])
  return download
}

export const rowsBySheet = async (path: string): Promise<Record<string, string[][]>> => {
  const sheets = Object.entries(await sheetsIn(path))
  return Object.fromEntries(sheets.map(([name, rows]) => [name, rows.map(({ cells }) => cells)]))
}
