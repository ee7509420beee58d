/** Words that a Portuguese sentence has no use for. */
export const englishTexts =
  /\b(the|was|were|by|not|answered|answer|sent|its|it|is|with|will|again|has|have|and|but|of|list|held)\b/i
