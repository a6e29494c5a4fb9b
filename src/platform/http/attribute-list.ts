import { z } from 'zod';

/** The reply of `/new` endpoints: the fields of a record, and those that are required. */
export const AttributeListJson = z
  .object({
    attributes: z.array(z.string()).describe('The names of the attributes of the record.'),
    required_attributes: z
      .array(z.string())
      .describe('The names of the attributes that a create request must contain.'),
  })
  .meta({ id: 'AttributeList' });

export type AttributeList = z.output<typeof AttributeListJson>;
