import type { Settings } from '../../../config/settings.ts'
import { checkMailServer } from '../../notify/send-mail.ts'
import { reachOutside } from '../../registry/webhook.ts'
import { type Finding, fine, messageOf, wrong } from './checks.ts'

/** Tries the mail server and the addresses of chats as far as that goes without sending a message. */
export const checkReceivers = async ({ alerts }: Settings): Promise<Finding[]> => {
  const { webhook, email, smtpUrl, slack, teams, allowPrivate } = alerts
  const posts = Object.entries({ webhook, slack: slack?.url, teams: teams?.url })
  return Promise.all([
    ...(email && smtpUrl ? [checkMail(smtpUrl)] : []),
    ...posts.flatMap(([name, url]) => (url ? [checkPost(`alerts.${name}`, { url, allowPrivate })] : [])),
  ])
}

const checkMail = async (smtpUrl: string): Promise<Finding> => {
  const { host } = new URL(smtpUrl)
  try {
    await checkMailServer(smtpUrl)
    return fine('mail', `${host} accepts the sign-in; \`vigia alerts test\` sends a mail`)
  } catch (error) {
    return wrong('mail', `${host}: ${messageOf(error)}`, 'Check SMTP_URL, and that this machine can reach it.')
  }
}

const checkPost = async (setting: string, address: { url: string; allowPrivate: boolean }): Promise<Finding> => {
  try {
    await reachOutside(setting, address)
    return fine('messages', `${setting} can be reached; \`vigia alerts test\` sends a message`)
  } catch (error) {
    return wrong('messages', messageOf(error), `Check ${setting}, and that this machine can reach it.`)
  }
}
