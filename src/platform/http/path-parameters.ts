import { z } from 'zod';

/** An id in a path: digits within PostgreSQL's integer. What is not one names no record, which is 404. */
export const PathId = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .refine((id) => id >= 1 && id <= 2147483647)
  .meta({ override: { type: 'integer', minimum: 1, maximum: 2147483647 }, examples: [1] });

/** A slug, number or name in a path. */
export const PathName = z
  .string()
  .max(255)
  .refine((name) => !name.includes('\u0000'));

export const IdParams = z.object({ id: PathId });
