import { isRecord } from './parameters';

export type JsonObject = Record<string, unknown>;

/** The size of a stored JSON object, in bytes of its UTF-8 text without spaces. */
export const MAX_JSON_BYTES = 16_384;

/** As deep as request bodies may be nested. */
const MAX_DEPTH = 10;

/**
 * Returns whether PostgreSQL can store the text: no NUL, and no lone surrogate, which is valid in JSON but not in
 * UTF-8.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && !/\p{Surrogate}/u.test(text);
}

/** Returns the text without what PostgreSQL cannot read, which no stored text contains. */
export function toStorable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Returns whether PostgreSQL can store the JSON value, and it has at most ten levels. */
export function isStorableJson(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value === 'string') return isStorable(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((entry) => isStorableJson(entry, depth + 1));
  if (!isRecord(value)) return value === null || typeof value === 'boolean';
  return Object.entries(value).every(([key, entry]) => isStorable(key) && isStorableJson(entry, depth + 1));
}

/** Returns the size of a JSON value as `MAX_JSON_BYTES` counts it. */
export function countJsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Reads a JSON object from its text, or as it is. Null for anything else, and for one that cannot be stored. */
export function readJsonObject(raw: unknown): JsonObject | null {
  const value = typeof raw === 'string' ? parseJson(raw) : raw;
  return isRecord(value) && isStorableJson(value) && countJsonBytes(value) <= MAX_JSON_BYTES ? value : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
