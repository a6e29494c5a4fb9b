import { LANGUAGES } from '../../platform/languages';

/** Names by the list of countries that they belong to, because lists are kept between requests. */
const known = new WeakMap<readonly object[], ReadonlyMap<string, string>>();

/**
 * Returns the ISO code of a country by its name in a language of documents, such as `Deutschland` or `日本`; null for other texts.
 * @param name in lower case
 */
export function findCountryCode(countries: readonly { iso: string }[], name: string): string | null {
  const codes = known.get(countries) ?? listNames(countries);
  known.set(countries, codes);
  return codes.get(name) ?? null;
}

function listNames(countries: readonly { iso: string }[]): Map<string, string> {
  const codes = new Map<string, string>();
  for (const language of LANGUAGES)
    for (const style of ['long', 'short'] as const) {
      const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none', style });
      for (const { iso } of countries) {
        const name = names.of(iso);
        if (name !== undefined) codes.set(name.normalize('NFKC').toLowerCase(), iso);
      }
    }
  return codes;
}
