import { z } from 'zod';
import { readBoolean } from '../platform/parameters';

/** Builds the schema of an optional boolean parameter. Anything but a true value is false and never an error. */
export function flag(description: string) {
  return z
    .preprocess((raw) => readBoolean(raw) === true, z.boolean())
    .optional()
    .meta({ description });
}
