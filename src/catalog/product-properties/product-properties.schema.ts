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

export const ProductPropertyJson = z
  .object({
    id: z.int(),
    product_id: z.int(),
    property_id: z.int(),
    value: z.string().nullable(),
    property_name: z.string(),
  })
  .meta({ id: 'ProductProperty' });

export type ProductPropertyJson = z.output<typeof ProductPropertyJson>;

const fields = { property_name: text(), value: text(), position: integer({ min: 0 }) };

/** The service rejects a blank name, because the error is reported under `property`, not `property_name`. */
export const ProductPropertyCreate = wrapped('product_property', createSchema(fields, []));
export const ProductPropertyUpdate = wrapped('product_property', updateSchema(fields, []));

export type ProductPropertyAttributes = z.output<typeof ProductPropertyCreate>['product_property'];
export type ProductPropertyChanges = z.output<typeof ProductPropertyUpdate>['product_property'];

/** A row of `product_properties_attributes`. `id` with `_destroy` deletes; a new row with a blank name is skipped. */
export const ProductPropertyInput = z.object({
  id: reference().optional,
  property_name: text().optional,
  value: text().optional,
  _destroy: boolean().optional,
});

export type ProductPropertyInput = z.output<typeof ProductPropertyInput>;
