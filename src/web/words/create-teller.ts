/** A sentence that Vigia itself wrote, and its wording in another language; `$1` is what the first group caught, told in turn. */
export type Phrase = readonly [sentence: RegExp, wording: string]

/** Tells stored sentences in another language; one that no phrase knows stays as it is. */
export const createTeller = (phrases: readonly Phrase[]) => {
  const tell = (text: string): string => {
    for (const [sentence, wording] of phrases) {
      const caught = sentence.exec(text)
      if (caught) return wording.replace(/\$(\d)/g, (_, group: string) => tell(caught[Number(group)] ?? ''))
    }
    return text
  }
  return tell
}
