import { text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** A property, such as a material, for which products may have values. */
export const Property = defineResource({
  table: 'properties',
  name: 'property',
  schema: 'Property',
  deletion: 'hard',
  fields: {
    name: {
      type: text(),
      required: true,
      search: true,
      description: 'The name, for admins and searches, such as `material`.',
    },
    presentation: {
      type: text(),
      required: true,
      search: true,
      description: 'The name as shoppers see it, such as `Material`.',
    },
  },
});

export type PropertyRow = RowOf<typeof Property>;
export type PropertyJson = JsonOf<typeof Property>;
