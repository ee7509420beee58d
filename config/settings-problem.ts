/** One wrong setting: its name, what is wrong with it, and what to write instead where that is known. */
export type WrongSetting = { setting: string; problem: string }

/** Everything that is wrong with the settings in one message, so that an operator can fix all of it at once. */
export class SettingsProblem extends Error {
  readonly wrong: readonly WrongSetting[]
  /** The operator has to fix wrong settings: the command line exits with 2 and shows no stack. */
  readonly exitCode = 2

  constructor(wrong: readonly WrongSetting[]) {
    const title = wrong.length === 1 ? 'One setting is wrong:' : `${wrong.length} settings are wrong:`
    const width = Math.max(...wrong.map(({ setting }) => setting.length))
    super([title, ...wrong.map(({ setting, problem }) => `  ${setting.padEnd(width)}  ${problem}`)].join('\n'))
    this.name = 'SettingsProblem'
    this.wrong = wrong
  }
}
