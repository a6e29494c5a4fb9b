/**
 * Converts full-width letters, digits and punctuation, as East Asian keyboards enter them, to ASCII, and all dashes to hyphens. For
 * postal codes, phone numbers and other identifiers, not for names.
 */
export function toHalfWidth(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(/\u3000/g, ' ')
    .replace(/[\p{Pd}\u2212]|(?<=\d)ー(?=\d)/gu, '-');
}

/** Converts a postal code as `toHalfWidth` does, without the postal mark that Japanese addresses begin with. */
export function toPostalCode(text: string): string {
  return toHalfWidth(text).replace(/^\s*〒\s*/, '');
}

/** The half-width katakana and their marks by the full-width character, or combining mark, that each stands for. */
const HALF_WIDTH_KATAKANA: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0xff9f - 0xff61 + 1 }, (_, at) => {
    const half = String.fromCharCode(0xff61 + at);
    return [half.normalize('NFKC'), half] as const;
  }),
);

/**
 * Lists a text as it is, with full-width katakana and ASCII letters as forms usually store them, with half-width katakana as
 * banks write them, with full-width letters, and with marks such as dakuten as characters of their own; once if it is the same
 * in all. Only names are compared in all widths.
 */
export function listWidths(text: string): string[] {
  const usual = text.normalize('NFKC');
  if (!hasWidths(text)) return [...new Set([text, usual])];
  const decomposed = usual.normalize('NFD');
  const narrow = [...decomposed].map((letter) => HALF_WIDTH_KATAKANA.get(letter) ?? letter);
  return [...new Set([text, usual, narrow.join('').normalize('NFC'), toFullWidth(usual), decomposed])];
}

/** Converts ASCII characters except spaces to full-width ones. */
function toFullWidth(text: string): string {
  return text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
}

/** Whether a text has letters that are written in several widths, or kana. */
export const hasWidths = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\uff00-\uffef]/u.test(text);
