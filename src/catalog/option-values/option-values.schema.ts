import { z } from 'zod';
import {
  boolean,
  createSchema,
  integer,
  reference,
  text,
  updateSchema,
  wrapped,
} from '../../platform/http/fields';

export const OptionValueJson = z
  .object({
    id: z.int(),
    name: z.string(),
    presentation: z.string(),
    option_type_name: z.string().nullable(),
    option_type_id: z.int().nullable(),
    option_type_presentation: z.string().nullable(),
  })
  .meta({ id: 'OptionValue' });

export type OptionValueJson = z.output<typeof OptionValueJson>;

const fields = {
  name: text(),
  presentation: text(),
  position: integer({ min: 0 }),
  option_type_id: reference(),
};

export const OPTION_VALUE_REQUIRED = ['name', 'presentation'] as const;

const beside = { option_type_id: reference().optional };

export const OptionValueCreate = wrapped('option_value', createSchema(fields, OPTION_VALUE_REQUIRED), beside);
export const OptionValueUpdate = wrapped('option_value', updateSchema(fields, OPTION_VALUE_REQUIRED));

export type OptionValueAttributes = z.output<typeof OptionValueCreate>['option_value'];
export type OptionValueChanges = z.output<typeof OptionValueUpdate>['option_value'];

/** A row of `option_values_attributes`. With `id` it updates a value, with `_destroy` deletes it; without, creates one. */
export const OptionValueRow = z.object({
  id: reference().optional,
  name: text().optional,
  presentation: text().optional,
  position: integer({ min: 0 }).optional,
  _destroy: boolean().optional,
});

export type OptionValueRowInput = z.output<typeof OptionValueRow>;
