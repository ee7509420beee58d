/** What the model keeps of a look-up names nobody once it is erased. */
export const scrubTexts = async (): Promise<never[]> => []
