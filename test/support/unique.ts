import { randomBytes } from 'node:crypto';

/** A name nobody else uses: tests share a database and run in any order. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}
