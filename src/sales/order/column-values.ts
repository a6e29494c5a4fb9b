import { compareDecimals } from '../../platform/money';

/** The type of a column in PostgreSQL. */
export type ColumnType = 'integer' | 'text' | 'boolean' | 'numeric' | 'jsonb' | 'timestamptz' | 'bytea';

/** Returns whether two values of a column are equal. Numerics are decimal strings and compared by value. */
export function isSameValue(type: ColumnType | undefined, one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one === null || other === null || one === undefined || other === undefined) return false;
  if (type === 'numeric' && typeof one === 'string' && typeof other === 'string') {
    return compareDecimals(one, other) === 0;
  }
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (Buffer.isBuffer(one) && Buffer.isBuffer(other)) return one.equals(other);
  return type === 'jsonb' && JSON.stringify(one) === JSON.stringify(other);
}
