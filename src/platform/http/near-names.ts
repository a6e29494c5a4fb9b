import { distance } from 'fastest-levenshtein';

/** Names by which other programs know a parameter, with the names that may be meant, the most probable first. */
export type OtherNames = Readonly<Record<string, readonly string[]>>;

/** Longer names are not compared. */
const LONGEST_NAME = 60;

/**
 * Returns the name among `known` that is probably meant: the same in another spelling (`lineItem`), in the plural, with
 * `_id` or `_attributes`, another program's name, or one with a typing error. Null if there is none.
 */
export function findNearName(given: string, known: readonly string[], others: OtherNames): string | null {
  if (given.length > LONGEST_NAME) return null;
  const name = toSnakeCase(given);
  const named = (candidate: string) => (known.includes(candidate) ? [candidate] : []);
  const spelled = [name, `${name}s`, name.replace(/s$/, '')];
  const [found] = [
    ...spelled.flatMap(named),
    ...(Object.hasOwn(others, name) ? (others[name] ?? []) : []).flatMap(named),
    ...spelled.flatMap((word) => ['_attributes', '_id', '_ids'].flatMap((end) => named(word + end))),
    ...named(name.replace(/_(attributes|ids?)$/, '')),
  ].filter((candidate) => candidate !== given);
  return found ?? findMisspelled(name, known);
}

function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}

/** Returns the name that differs by a typing error: one letter in short names, two in long ones. */
function findMisspelled(name: string, known: readonly string[]): string | null {
  const most = name.length < 4 ? 0 : name.length < 8 ? 1 : 2;
  const [nearest] = known
    .map((candidate) => ({ candidate, difference: countErrors(name, candidate) }))
    .filter(({ difference }) => difference > 0 && difference <= most)
    .sort((one, other) => one.difference - other.difference);
  return nearest?.candidate ?? null;
}

/** Two letters in the wrong order are one error. */
function countErrors(name: string, candidate: string): number {
  const isSwapped = sortLetters(name) === sortLetters(candidate) && distance(name, candidate) === 2;
  return isSwapped ? 1 : distance(name, candidate);
}

const sortLetters = (word: string): string => [...word].sort().join('');
