import { text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** A property, such as a material, for which products may have values. */
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
