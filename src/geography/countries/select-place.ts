import type { CountryRow } from './countries.definition';
import { findCountryCode } from './country-names';
import { findPrefecture, shortenPrefecture } from './prefectures';
import type { StateRow } from './states.definition';

/** How a request names a country or a state: an id, a code, or a name. */
export type PlaceReference = number | string;

/** Codes that people use and ISO 3166 does not. */
const OTHER_CODES: Readonly<Record<string, string>> = { uk: 'gb', el: 'gr' };

/** Returns the country with this id, ISO code or name, in English or a language of documents, ignoring case; null if there is none. */
export function selectCountry<C extends CountryRow>(
  countries: readonly C[],
  reference: PlaceReference,
): C | null {
  if (typeof reference === 'number') return countries.find(({ id }) => id === reference) ?? null;
  const wanted = normalize(reference.normalize('NFKC'));
  const code = OTHER_CODES[wanted] ?? wanted;
  const keys = ['iso', 'iso3', 'name', 'iso_name'] as const;
  const found = keys.map((key) => countries.find((country) => normalize(country[key] ?? '') === code));
  const named = found.find((country) => country !== undefined);
  if (named !== undefined) return named;
  const translated = findCountryCode(countries, wanted);
  return countries.find(({ iso }) => iso === translated) ?? null;
}

/**
 * Returns the state with this id, abbreviation, ISO 3166-2 code (`US-ME`) or name, ignoring case. Prefectures of Japan are also
 * known by their Japanese names, also without `都`, `府` or `県`. Null if there is none, or several have the name: `states` belong
 * to one country, or are all.
 */
export function selectState<S extends Pick<StateRow, 'id' | 'name' | 'abbr'>>(
  states: readonly S[],
  reference: PlaceReference,
  isoOf: (state: S) => string,
): S | null {
  if (typeof reference === 'number') return states.find(({ id }) => id === reference) ?? null;
  const wanted = normalize(reference.normalize('NFKC'));
  const [match, ...others] = states.filter((state) => {
    const iso = isoOf(state);
    const prefecture = iso === 'JP' ? findPrefecture(state.abbr ?? '') : null;
    const shortened = prefecture === null ? null : shortenPrefecture(prefecture);
    const names = [state.name, state.abbr, `${iso}-${state.abbr}`, prefecture, shortened];
    return names.some((name) => name !== null && normalize(name) === wanted);
  });
  return match !== undefined && others.length === 0 ? match : null;
}

const normalize = (text: string): string => text.trim().toLowerCase();
