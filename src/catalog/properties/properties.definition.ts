import { text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** A property that products may have a value of. */
export const Property = defineResource({
  table: 'properties',
  name: 'property',
  schema: 'Property',
  deletion: 'hard',
  fields: {
    name: { type: text(), required: true, search: true },
    presentation: { type: text(), required: true, search: true },
  },
});

export type PropertyRow = RowOf<typeof Property>;
export type PropertyJson = JsonOf<typeof Property>;
