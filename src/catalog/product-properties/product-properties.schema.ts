import { z } from 'zod';
import { describe, boolean, integer, reference, text } from '../../platform/http/fields';
import { createSchema, updateSchema, wrapped } from '../../platform/http/field-schemas';
import { namedObject } from '../../platform/http/named-object';

export const ProductPropertyJson = namedObject('ProductProperty', {
  id: z.int(),
  product_id: z.int(),
  property_id: z.int().describe('The id of the property.'),
  value: z.string().nullable().describe('The value of the property for the product. Null without one.'),
  property_name: z.string().describe('The name of the property.'),
});

export type ProductPropertyJson = z.output<typeof ProductPropertyJson>;

const fields = {
  property_name: describe(text(), 'The name of the property, which is created if it does not exist.'),
  value: describe(text(), 'The value of the property for the product.'),
  position: describe(integer({ min: 0 }), 'The position among the properties of the product, from 0.'),
};

/** The service rejects a blank name, because the error is reported under `property`, not `property_name`. */
export const ProductPropertyCreate = wrapped('product_property', createSchema(fields, []));
export const ProductPropertyUpdate = wrapped('product_property', updateSchema(fields, []));

export type ProductPropertyAttributes = z.output<typeof ProductPropertyCreate>['product_property'];
export type ProductPropertyChanges = z.output<typeof ProductPropertyUpdate>['product_property'];

/** A row of `product_properties_attributes`. `id` with `_destroy` deletes; a new row with a blank name is skipped. */
export const ProductPropertyInput = z.object({
  id: reference().optional,
  property_name: text().optional.describe('The name of the property, which is created if it does not exist.'),
  value: text().optional.describe('The value of the property for the product.'),
  _destroy: boolean().optional,
});

export type ProductPropertyInput = z.output<typeof ProductPropertyInput>;
