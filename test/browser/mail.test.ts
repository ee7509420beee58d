import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { Language } from '../../src/messages/languages.ts'
import { notificationLabels } from '../../src/messages/notifications.ts'
import { createNotification } from '../../src/notify/create-notification.ts'
import { notificationHtml } from '../../src/notify/send-mail.ts'
import { aNight } from '../notify/a-night.ts'
import { launchChromium } from './browse.ts'

const folder = resolve(import.meta.dirname, '../screenshots')

test('a mail fits the width of a phone, in both languages', async () => {
  await mkdir(folder, { recursive: true })
  await using browser = await launchChromium()
  for (const language of ['pt-BR', 'en'] satisfies Language[]) {
    const notification = { about: 'sweep.finished', severity: 'info' as const, body: aNight }
    const mail = createNotification(notification, { language, timezone: 'America/Sao_Paulo', form: 'mail' })
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await page.setContent(notificationHtml(mail, notificationLabels[language]))
    await page.screenshot({ path: join(folder, `mail-${language}.png`), fullPage: true })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), language).toBe(390)
  }
})
