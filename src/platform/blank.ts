/** Whether a text says nothing: absent, null, empty or whitespace only. */
export function isBlank(text: string | null | undefined): text is null | undefined | '' {
  return text == null || text.trim() === '';
}
