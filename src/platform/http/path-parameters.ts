import { z } from 'zod';
import { MAX_INT4 } from '../int4';

/** An id in a path, in the range of PostgreSQL's integer. Anything else results in 404. */
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

/** An id or a name in a path: the text, and the id if the text is one. */
export const PathIdOrName = PathName.transform((name) => ({
  name,
  id: PathId.safeParse(name).data ?? null,
})).meta({ override: { type: 'string', maxLength: 255 }, examples: ['1'] });

export type IdOrName = z.output<typeof PathIdOrName>;

export const IdParams = z.object({ id: PathId });
