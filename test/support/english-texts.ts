/** English terms that must not occur in a Portuguese sentence. */
export const englishTexts =
  /\b(the|was|were|by|not|answered|answer|sent|its|it|is|with|will|again|has|have|and|but|of|list|held)\b/i
