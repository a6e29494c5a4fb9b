/**
 * Writes seeds/reference/countries.json and states.json from the packages i18n-iso-countries (ISO 3166-1) and
 * iso-3166-2 (ISO 3166-2), both MIT. Run it manually after updating them:
 *
 *     npx tsx scripts/build-reference-data.ts
 *
 * The files are committed, so neither package is needed at run time. The output depends only on the packages and on
 * scripts/reference-corrections.ts.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import countries from 'i18n-iso-countries';
import { country as subdivisionsOf } from 'iso-3166-2';
import { COUNTRY_NAMES, NOT_IN_ISO_3166_1, STATE_SOURCES, type StateSource } from './reference-corrections';

interface CountryFact {
  iso: string;
  iso3: string;
  numcode: number;
  name: string;
  iso_name: string;
  states_required: boolean;
}

interface StateFact {
  name: string;
  abbr: string;
}

const OUTPUT = path.join(__dirname, '..', 'seeds', 'reference');
const byName = new Intl.Collator('en').compare;

function buildCountries(): CountryFact[] {
  return Object.entries(countries.getNames('en'))
    .filter(([iso]) => !NOT_IN_ISO_3166_1.has(iso))
    .map(([iso, packageName]) => {
      const name = COUNTRY_NAMES[iso] ?? packageName;
      const iso3 = countries.alpha2ToAlpha3(iso);
      const numcode = Number(countries.alpha2ToNumeric(iso));
      if (iso3 === undefined || !Number.isInteger(numcode)) throw new Error(`${iso} has no complete code.`);
      const states_required = STATE_SOURCES[iso]?.required ?? false;
      return { iso, iso3, numcode, name, iso_name: name.toLocaleUpperCase('en'), states_required };
    })
    .sort((a, b) => compareHomeFirst(a, b) || byName(a.name, b.name));
}

/** Sorts the United States first, so that they get id 1 in an empty store, as in the examples of the API. */
function compareHomeFirst(a: CountryFact, b: CountryFact): number {
  return Number(b.iso === 'US') - Number(a.iso === 'US');
}

function buildStates(iso: string, source: StateSource): StateFact[] {
  const packageStates = Object.entries(subdivisionsOf(iso)?.sub ?? {})
    .filter(([, subdivision]) => source.types.includes(subdivision.type))
    .map(([code, { name }]) => ({ code: code.slice(iso.length + 1), name }))
    .filter(({ code }) => !source.dropped?.includes(code));

  const names = new Map(packageStates.map(({ code, name }) => [source.recoded?.[code] ?? code, name]));
  for (const [code, name] of Object.entries(source.named ?? {})) names.set(code, name);

  const states = [...names].map(([abbr, name]) => ({ name, abbr })).sort((a, b) => byName(a.name, b.name));
  check(iso, source, states);
  return states;
}

/** Fails the build if a package update no longer fits the corrections. */
function check(iso: string, source: StateSource, states: StateFact[]): void {
  const codes = new Set(states.map((state) => state.abbr));
  const names = new Set(states.map((state) => state.name));
  const problems = [
    states.length !== source.count && `expected ${source.count} states, found ${states.length}`,
    names.size !== states.length && 'a name occurs twice',
    states.some((state) => /[*()]/.test(state.name)) && 'a name carries a footnote mark',
    Object.keys(source.recoded ?? {}).some((code) => codes.has(code)) && 'an old code is back',
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new Error(`${iso}: ${problems.join('; ')}.`);
}

/** Formats one record per line, so that diffs of the data are readable. */
function formatLines(records: readonly object[], indent: string): string {
  return records.map((record) => `${indent}${addSpaces(JSON.stringify(record))}`).join(',\n');
}

function addSpaces(json: string): string {
  return json.replace(/^\{/, '{ ').replace(/\}$/, ' }').replace(/":/g, '": ').replace(/,"/g, ', "');
}

const statesByCountry = Object.entries(STATE_SOURCES).map(([iso, source]) => ({
  iso,
  states: buildStates(iso, source),
}));

writeFileSync(path.join(OUTPUT, 'countries.json'), `[\n${formatLines(buildCountries(), '  ')}\n]\n`);
writeFileSync(
  path.join(OUTPUT, 'states.json'),
  `{\n${statesByCountry.map(({ iso, states }) => `  "${iso}": [\n${formatLines(states, '    ')}\n  ]`).join(',\n')}\n}\n`,
);
