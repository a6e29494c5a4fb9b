import { z } from 'zod';
import { readBoolean } from '../platform/http/fields';

/** A switch of a list, off unless it is clearly on: what is no boolean is never an error. */
export function flag(description: string) {
  return z
    .preprocess((raw) => readBoolean(raw) === true, z.boolean())
    .optional()
    .meta({ description });
}
