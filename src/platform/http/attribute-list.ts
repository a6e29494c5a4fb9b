import { z } from 'zod';

/** What `new` endpoints answer: the fields of a record and which of them a create must carry. */
export const AttributeListJson = z
  .object({ attributes: z.array(z.string()), required_attributes: z.array(z.string()) })
  .meta({ id: 'AttributeList' });

export type AttributeList = z.output<typeof AttributeListJson>;
