import { domainToUnicode } from 'node:url';
import isEmailAddress from 'validator/lib/isEmail';

/**
 * Returns whether a text has the form of an e-mail address, without a display name, and cannot be mistaken for another
 * address: no invisible characters, and no letters that look like those of another script. Does not check that the address
 * receives mail. Expects trimmed text. `isLocal` also accepts a domain without a dot, such as localhost.
 */
export function isEmail(text: string, { isLocal = false }: { isLocal?: boolean } = {}): boolean {
  if (!isEmailAddress(text, { require_tld: !isLocal, allow_underscores: true })) return false;
  const [local, domain] = splitAt(text);
  const labels = [...domain.split('.'), ...domainToUnicode(domain).split('.')];
  return [local, ...labels].every(isUnmistakable);
}

function splitAt(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at), address.slice(at + 1)];
}

/** Characters beyond ASCII that a part may have: letters and their marks, but none that are shown as nothing. */
const LETTERS = /^[\p{L}\p{M}]$/u;
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;

/** Line breaks and the like, which the rules of e-mail permit between quotation marks. */
const CONTROL = /\p{Cc}/u;

/** Scripts that may be written together (Unicode TR39, highly restrictive), and others of living languages. */
const WRITING_SYSTEMS = [
  ...([
    'Latin Han Hiragana Katakana',
    'Latin Han Hangul',
    'Latin Han Bopomofo',
    'Cyrillic',
    'Greek',
  ] as const),
  ...(['Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Ethiopic', 'Devanagari', 'Bengali', 'Gurmukhi'] as const),
  ...(['Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao'] as const),
  ...(['Tibetan', 'Myanmar', 'Khmer'] as const),
].map((scripts) => {
  const classes = scripts.split(' ').map((script) => `\\p{scx=${script}}`);
  return new RegExp(`^[${classes.join('')}]+$`, 'u');
});

/** Letters of other scripts that look like Latin ones. */
const LATIN_LOOKALIKES = new Set(
  'асԁеһіјӏорԛѕԝхуѵԍкмтнвгАВСЕНІЈКМОРЅТХУԚԜҮѴ' + 'αορνυικτγωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ' + 'օսհոցքյզՕՍԼ',
);

/** Latin letters that are neither one of ASCII nor one of ASCII with marks. */
const LATIN_LETTERS = new Set('ßæœøðþłđħŋÆŒØÐÞŁĐĦŊẞ');

/**
 * Returns whether no part of an address can be mistaken for another one: it is written in one script or in scripts that
 * belong together, in the usual form of its letters (NFKC), and not only in letters that look like Latin ones.
 */
function isUnmistakable(part: string): boolean {
  if (CONTROL.test(part)) return false;
  const foreign = [...part].filter((character) => character > '\u007f');
  if (foreign.length === 0) return true;
  if (part.normalize('NFKC') !== part) return false;
  if (!foreign.every((letter) => LETTERS.test(letter) && !INVISIBLE.test(letter))) return false;
  const letters = part.match(/\p{L}/gu) ?? [];
  return (
    WRITING_SYSTEMS.some((system) => system.test(letters.join(''))) &&
    letters.every(isKnownLatin) &&
    !letters.every((letter) => LATIN_LOOKALIKES.has(letter))
  );
}

/** Latin has letters that look like ASCII ones, such as ɑ and ı. */
function isKnownLatin(letter: string): boolean {
  if (!/\p{sc=Latin}/u.test(letter)) return true;
  return /^[A-Za-z]/.test(letter.normalize('NFD')) || LATIN_LETTERS.has(letter);
}
