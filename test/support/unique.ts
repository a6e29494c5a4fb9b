import { randomBytes } from 'node:crypto';

/** Returns a unique name: tests share a database and run in any order. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}
