import { z } from 'zod';
import { createSchema, integer, list, text, updateSchema, wrapped } from '../../platform/http/fields';
import { OptionValueJson, OptionValueRow } from '../option-values/option-values.schema';

export const OptionTypeJson = z
  .object({
    id: z.int(),
    name: z.string(),
    presentation: z.string(),
    position: z.int(),
    option_values: z.array(OptionValueJson),
  })
  .meta({ id: 'OptionType' });

export type OptionTypeJson = z.output<typeof OptionTypeJson>;

const fields = { name: text(), presentation: text(), position: integer({ min: 0 }) };
const nestedRows = { option_values_attributes: list(OptionValueRow) };

export const OPTION_TYPE_REQUIRED = ['name', 'presentation'] as const;

export const OptionTypeCreate = wrapped(
  'option_type',
  createSchema(fields, OPTION_TYPE_REQUIRED).extend(nestedRows),
);
export const OptionTypeUpdate = wrapped(
  'option_type',
  updateSchema(fields, OPTION_TYPE_REQUIRED).extend(nestedRows),
);

export type OptionTypeAttributes = z.output<typeof OptionTypeCreate>['option_type'];
export type OptionTypeChanges = z.output<typeof OptionTypeUpdate>['option_type'];
