import { styleText } from 'node:util'
import { loadSettings, type Settings } from '../../../config/settings.ts'
import { SettingsProblem } from '../../../config/settings-problem.ts'
import type { CommandContext, CommandDefinition } from '../command.ts'
import { checkDatabase } from '../doctor/check-database.ts'
import { checkReceivers, checkRegistry } from '../doctor/check-registry.ts'
import { checkHome, checkMachine, checkSpending, type Finding, fine, wrong } from '../doctor/checks.ts'

/** Checks everything that Vigia needs; changes and spends nothing. */
export const doctor: CommandDefinition = {
  examples: [
    { line: 'vigia doctor', about: 'Check that this machine is ready' },
    { line: 'vigia doctor --json', about: 'For a script; exits with 1 if something is wrong, 2 if it is a setting' },
  ],

  async run(context) {
    const findings = await examine(context)
    const ok = findings.every((finding) => finding.ok)
    const areSettingsWrong = findings.some(({ check, ok }) => check === 'settings' && !ok)
    context.print({ ok, findings }, () => findings.map((finding) => render(finding, context)).join('\n'))
    return ok ? 0 : areSettingsWrong ? 2 : 1
  },
}

const examine = async ({ env }: CommandContext): Promise<Finding[]> => {
  const settings = readSettings(env)
  if (Array.isArray(settings)) return settings
  const from = env.VIGIA_CONFIG ? `defaults, ${env.VIGIA_CONFIG} and environment` : 'defaults and environment'
  return [
    fine('settings', `${from} are valid`),
    checkMachine(settings),
    ...checkSpending(settings),
    ...(await checkHome(settings.home)),
    ...(await checkDatabase(settings)),
    ...(await checkRegistry(settings)),
    ...(await checkReceivers(settings)),
  ]
}

const readSettings = (env: CommandContext['env']): Settings | Finding[] => {
  try {
    return loadSettings(env)
  } catch (error) {
    if (!(error instanceof SettingsProblem)) throw error
    return error.wrong.map(({ setting, problem }) =>
      wrong('settings', `${setting} ${problem}`, 'Correct it and run `vigia doctor` again.'),
    )
  }
}

const render = ({ check, ok, says, cure }: Finding, { stdout }: CommandContext): string => {
  const badge = ok ? styleText('green', 'ok   ', { stream: stdout }) : styleText('red', 'wrong', { stream: stdout })
  const lines = [says, ...(cure ? [cure] : [])].join('\n').split('\n')
  return `${badge}  ${check.padEnd(10)}${lines.join(`\n${' '.repeat(17)}`)}`
}
