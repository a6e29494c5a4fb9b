import { BadRequest, TooLarge } from '../errors';

/** More than any request needs. What calls itself for each level of a body stays far from the end of the stack. */
const MOST_LEVELS = 32;
/** The keys and list entries of a body that any endpoint reads. */
const MOST_KEYS = 20_000;

/**
 * Counts the keys and list entries of a parsed JSON text, at all levels.
 * @throws BadRequest if it is nested too deeply; TooLarge for more than 20,000
 */
export function countKeys(json: unknown): number {
  let level = isContainer(json) ? [json] : [];
  let keys = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) throw new BadRequest('The request parameters are nested too deeply.');
    const next: object[] = [];
    for (const container of level) {
      const values: unknown[] = Array.isArray(container) ? container : Object.values(container);
      keys += values.length;
      if (keys > MOST_KEYS) throw new TooLarge('keys');
      for (const value of values) if (isContainer(value)) next.push(value);
    }
    level = next;
  }
  return keys;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
