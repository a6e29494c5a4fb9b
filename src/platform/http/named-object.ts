import { z } from 'zod';

/** Builds the schema of an object that has a name of its own in the reference. */
export const namedObject = <Shape extends z.ZodRawShape>(id: string, shape: Shape) =>
  z.object(shape).meta({ id });
