/**
 * Converts full-width letters, digits and punctuation, as East Asian keyboards enter them, to ASCII, and all dashes to hyphens. For
 * postal codes and phone numbers, not for names.
 */
export function toHalfWidth(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(/\u3000/g, ' ')
    .replace(/[\p{Pd}\u2212]|(?<=\d)ー(?=\d)/gu, '-');
}
