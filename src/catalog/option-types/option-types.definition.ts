import { z } from 'zod';
import { list } from '../../platform/http/fields';
import { integer, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';
import {
  OptionValue,
  OptionValueRowInput,
  type OptionValueRow,
} from '../option-values/option-values.definition';

/** An attribute in which variants differ, such as color, with its values. */
export const OptionType = defineResource({
  table: 'option_types',
  name: 'option_type',
  schema: 'OptionType',
  deletion: 'hard',
  fields: {
    name: {
      type: text(),
      required: true,
      search: true,
      description: 'The name, for admins and searches, such as `tshirt-size`.',
    },
    presentation: {
      type: text(),
      required: true,
      search: true,
      description: 'The name as shoppers see it, such as `Size`.',
    },
    position: {
      type: integer({ min: 0 }),
      assigned: true,
      search: true,
      description: 'The position among all option types. Defaults to the last.',
    },
    option_values: { reply: z.array(OptionValue.Json), description: 'The values, by position.' },
    option_values_attributes: {
      input: list(OptionValueRowInput),
      description:
        'Values to create, update or delete. An entry with `id` updates, with `_destroy` deletes, and without `id` creates.',
    },
  },
  search: {
    associations: {
      option_values: {
        table: 'option_values',
        on: (type, value) => `${value}.option_type_id = ${type}.id`,
        attributes: { name: 'text' },
      },
    },
    baseOrder: ['option_types.position ASC'],
  },
});

export type OptionTypeRow = RowOf<typeof OptionType>;
export type OptionTypeJson = JsonOf<typeof OptionType>;

/** An option type with its values, by position. */
export interface OptionTypeGraph extends OptionTypeRow {
  option_values: OptionValueRow[];
}

export function serializeOptionType(type: OptionTypeGraph): OptionTypeJson {
  return OptionType.serialize(type, {
    option_values: type.option_values.map((value) => OptionValue.serialize(value)),
  });
}
