import type { z } from 'zod';
import type { ParsedRow } from '../../platform/batch';
import { toFieldErrors } from '../../platform/http/field-errors';

/** Parses one row with a schema. */
export function parseRow<S extends z.ZodType>(schema: S, raw: unknown): ParsedRow<z.output<S>> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { row: parsed.data };
  return { errors: toFieldErrors(parsed.error.issues, undefined) };
}
