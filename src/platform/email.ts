/** RFC 5321: no address can be longer. */
const LONGEST_ADDRESS = 254;

/**
 * Whether a text looks like an e-mail address: one @, something before it, a domain with a dot after it, no blanks.
 * Says nothing about whether it receives mail. Expects trimmed text.
 */
export function isEmail(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
}
