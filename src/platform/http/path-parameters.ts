import { z } from 'zod';
import { MAX_INT4 } from '../int4';

/** An id in a path: digits within PostgreSQL's integer. What is not one names no record, which is 404. */
export const PathId = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .refine((id) => id >= 1 && id <= MAX_INT4)
  .meta({ override: { type: 'integer', minimum: 1, maximum: MAX_INT4 }, examples: [1] });

/** A slug, number or name in a path. */
export const PathName = z
  .string()
  .max(255)
  .refine((name) => !name.includes('\u0000'));

/** What names a record by its id or by its name: the text, and the id it spells if it spells one. */
export const PathIdOrName = PathName.transform((name) => ({
  name,
  id: PathId.safeParse(name).data ?? null,
})).meta({ override: { type: 'string', maxLength: 255 }, examples: ['1'] });

export type IdOrName = z.output<typeof PathIdOrName>;

export const IdParams = z.object({ id: PathId });
