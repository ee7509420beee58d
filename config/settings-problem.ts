/** One wrong setting: where it stands, what is wrong with it, and what to write instead where that can be told. */
export type WrongSetting = { setting: string; problem: string }

/** Everything that is wrong with the settings, in one message, so that a person mends it in one go. */
export class SettingsProblem extends Error {
  readonly wrong: readonly WrongSetting[]
  /** Wrong settings are the person's to mend: the command line ends with 2 and shows no stack. */
  readonly exitCode = 2

  constructor(wrong: readonly WrongSetting[]) {
    const title = wrong.length === 1 ? 'One setting is wrong:' : `${wrong.length} settings are wrong:`
    const width = Math.max(...wrong.map(({ setting }) => setting.length))
    super([title, ...wrong.map(({ setting, problem }) => `  ${setting.padEnd(width)}  ${problem}`)].join('\n'))
    this.name = 'SettingsProblem'
    this.wrong = wrong
  }
}
