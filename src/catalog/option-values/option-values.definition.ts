import { z } from 'zod';
import * as fields from '../../platform/http/fields';
import { integer, reference, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** A value of an option type, such as red, or a value without a type. */
export const OptionValue = defineResource({
  table: 'option_values',
  name: 'option_value',
  schema: 'OptionValue',
  deletion: 'hard',
  join: 'LEFT JOIN option_types ON option_types.id = option_values.option_type_id',
  fields: {
    name: {
      type: text(),
      required: true,
      search: true,
      description: 'The name, for admins and searches, such as `small`.',
    },
    presentation: {
      type: text(),
      required: true,
      search: true,
      description: 'The name as shoppers see it, such as `S`.',
    },
    position: {
      type: integer({ min: 0 }),
      assigned: true,
      hidden: true,
      search: true,
      description: 'The position among the values of the option type. Defaults to the last.',
    },
    option_type_name: {
      type: text(),
      nullable: true,
      generated: true,
      joined: 'option_types.name',
      description: 'The name of the option type. Null without an option type.',
    },
    option_type_id: {
      type: reference(),
      nullable: true,
      search: true,
      description: 'The id of the option type. Null for a value without a type.',
    },
    option_type_presentation: {
      type: text(),
      nullable: true,
      generated: true,
      joined: 'option_types.presentation',
      description: 'The presentation of the option type. Null without an option type.',
    },
  },
  search: {
    associations: {
      option_type: {
        table: 'option_types',
        on: (value, type) => `${type}.id = ${value}.option_type_id`,
        attributes: { name: 'text', presentation: 'text' },
      },
    },
    baseOrder: ['option_values.position ASC'],
  },
});

/** An option value with the name and presentation of its type. */
export type OptionValueRow = RowOf<typeof OptionValue>;
export type OptionValueJson = JsonOf<typeof OptionValue>;

/**
 * A row of `option_values_attributes`. With `id` it updates a value, with `_destroy` deletes it; without, creates one.
 */
export const OptionValueRowInput = z.object({
  id: fields.reference().optional,
  name: fields.text().optional.describe('The name, for admins and searches, such as `small`.'),
  presentation: fields.text().optional,
  position: fields
    .integer({ min: 0 })
    .optional.describe('The position among the values of the option type. Defaults to the last.'),
  _destroy: fields.boolean().optional,
});

export type OptionValueRowInput = z.output<typeof OptionValueRowInput>;
