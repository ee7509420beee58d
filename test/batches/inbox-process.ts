import { loadSettings } from '../../config/settings.ts'
import { startInbox } from '../../src/batches/inbox/start-inbox.ts'
import { openHome } from '../../src/home/folders.ts'
import { createLog } from '../../src/log/log.ts'
import { startBoss } from '../../src/queue/boss.ts'
import { connect } from '../../src/store/connect.ts'

/** A worker that only watches its inbox. The environment says where, and the test kills it in the end. */
const settings = loadSettings(process.env, { overlay: { import: { settle: process.env.SETTLE ?? '50ms' } } })
const log = createLog({ level: 'warn' })
const sql = connect(settings.databaseUrl!, { max: 4, hasSession: true })
const boss = await startBoss(settings.databaseUrl!, log)
const home = await openHome(settings.home)
await startInbox({ home, settings, sql, boss, accounts: settings.organizations, clock: () => new Date(), log })
process.stdout.write('ready\n')
