/** The languages that people read, each under the name that it has in itself. */
export const languages = { en: 'English', 'pt-BR': 'Português' } as const
export type Language = keyof typeof languages

export const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(languages, text)
