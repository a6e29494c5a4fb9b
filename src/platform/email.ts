import isEmailAddress from 'validator/lib/isEmail';

/**
 * Returns whether a text has the form of an e-mail address, without a display name. Does not check that the address receives
 * mail. Expects trimmed text. `isLocal` also accepts a domain without a dot, such as localhost.
 */
export function isEmail(text: string, { isLocal = false }: { isLocal?: boolean } = {}): boolean {
  return isEmailAddress(text, { require_tld: !isLocal, allow_underscores: true });
}
