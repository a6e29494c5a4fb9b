/** Returns whether a text is missing, null, empty or only whitespace. */
export function isBlank(text: string | null | undefined): text is null | undefined | '' {
  return text == null || text.trim() === '';
}
