/** The languages of page, messages and workbooks, each under its own name. */
export const languages = { en: 'English', 'pt-BR': 'Português' } as const
export type Language = keyof typeof languages

export const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(languages, text)
