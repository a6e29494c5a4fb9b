/** Words that are easy to guess at any shop. */
const COMMON_WORDS = ['admin', 'administrator', 'customer', 'office', 'password', 'shop', 'store'];
/** Shorter words occur in many good passwords. In letters. */
const SHORTEST = 3;

/** What an attacker knows of an account. */
export interface PasswordContext {
  shopName: string;
  /** With or without a scheme. */
  shopUrl: string;
  email: string;
}

/**
 * Returns whether a password consists of words of the shop, of the e-mail address and common ones, with digits and other characters
 * anywhere (`Example-Store-2026!`).
 */
export function isOfKnownWords(password: string, { shopName, shopUrl, email }: PasswordContext): boolean {
  const words = [shopName, shopUrl, email, email.slice(0, email.indexOf('@'))]
    .flatMap((text) => [text, ...text.split(/[^\p{L}]+/u)])
    .map(keepLetters)
    .filter((word) => word.length >= SHORTEST);
  let rest = keepLetters(password);
  if (rest === '') return false;
  for (const word of [...words, ...COMMON_WORDS].sort((one, other) => other.length - one.length))
    rest = rest.replaceAll(word, '');
  return rest === '';
}

const keepLetters = (text: string): string => text.toLowerCase().replace(/[^\p{L}]+/gu, '');
