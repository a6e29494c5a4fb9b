import { z } from 'zod';
import { namedObject } from './named-object';

/** The reply of `/new` endpoints: the fields of a record, and those that are required. */
export const AttributeListJson = namedObject('AttributeList', {
  attributes: z.array(z.string()).describe('The names of the attributes of the record.'),
  required_attributes: z
    .array(z.string())
    .describe('The names of the attributes that a create request must contain.'),
});

export type AttributeList = z.output<typeof AttributeListJson>;
