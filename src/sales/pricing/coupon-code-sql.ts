/**
 * Returns a coupon code in the usual form of its letters (NFKC), as it is stored: Japanese keyboards enter full-width ones. The
 * letter case stays; it does not distinguish codes.
 */
export const normalizeCode = (code: string): string => code.normalize('NFKC').trim();

/** Builds the id of the promotion with an entered code. Codes that earlier versions have stored may have other forms. */
export const selectIdOfCode = (code: string): { sql: string; bindings: string[] } => ({
  sql: '(SELECT min(coded.id) FROM promotions coded WHERE lower(coded.code) IN (lower(?), lower(?)))',
  bindings: [normalizeCode(code), code],
});
