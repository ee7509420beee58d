/**
 * Masks a name for people who must not read it: enough remains to recognise someone they know, not enough to learn who it
 * is. `Maria da Conceição` is `Ma*** da Con***`.
 */
export const maskName = (name: string): string =>
  name.trim().replace(/[\p{L}\p{N}]+/gu, (token) => {
    const letters = [...token]
    return letters.length <= 2 ? token : `${letters.slice(0, Math.min(3, Math.ceil(letters.length / 3))).join('')}***`
  })
