const notModelled = async (): Promise<never> => {
  throw new Error('Quotes are not part of a history')
}

export const [openQuestions, countQuestions] = [notModelled, notModelled]
