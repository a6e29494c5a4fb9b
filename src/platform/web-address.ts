/** Returns whether a text is an http or https address. Pages link to it, so other schemes are not allowed. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text);
}
