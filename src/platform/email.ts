/** The maximum length of an address (RFC 5321). */
const LONGEST_ADDRESS = 254;

/**
 * Returns whether a text has the form of an e-mail address: a local part, one @, a domain with a dot, no whitespace.
 * Does not check that the address receives mail. Expects trimmed text.
 */
export function isEmail(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
}
