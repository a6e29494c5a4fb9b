import { Conflict } from '../platform/errors';

/** Returns a record that was found or created by name. @throws Conflict if it is missing: another transaction deletes it */
export function requireUndeleted<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Conflict(`${name} is being deleted`);
  return found;
}
