/**
 * What may be shown of a name to whoever must not read it: enough to recognise whom one knows, not enough to know whom
 * one does not. `Maria da Conceição` is `Ma*** da Con***`.
 */
export const maskName = (name: string): string =>
  name.trim().replace(/[\p{L}\p{N}]+/gu, (token) => {
    const letters = [...token]
    return letters.length <= 2 ? token : `${letters.slice(0, Math.min(3, Math.ceil(letters.length / 3))).join('')}***`
  })
