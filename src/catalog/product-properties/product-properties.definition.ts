import { z } from 'zod';
import * as fields from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { integer, reference, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

const NAME = 'The name of the property, which is created if it does not exist.';
const VALUE = 'The value of the property for the product.';

/** The value of a property for a product, with the name of the property. */
export const ProductProperty = defineResource({
  table: 'product_properties',
  name: 'product_property',
  schema: 'ProductProperty',
  deletion: 'hard',
  join: 'JOIN properties ON properties.id = product_properties.property_id',
  fields: {
    product_id: { type: reference(), internal: true },
    property_id: { type: reference(), internal: true, search: true, description: 'The id of the property.' },
    value: {
      type: text(),
      nullable: true,
      search: true,
      reply: z.string().describe(`${VALUE} Null without one.`),
      description: VALUE,
    },
    property_name: {
      type: text(),
      generated: true,
      joined: 'properties.name',
      description: 'The name of the property.',
    },
    position: {
      type: integer({ min: 0 }),
      assigned: true,
      hidden: true,
      search: true,
      description: 'The position among the properties of the product, from 0.',
    },
  },
  search: {
    associations: {
      property: {
        table: 'properties',
        on: (value, property) => `${property}.id = ${value}.property_id`,
        attributes: { name: 'text', presentation: 'text' },
      },
    },
    baseOrder: ['product_properties.position ASC'],
  },
});

export type ProductPropertyRow = RowOf<typeof ProductProperty>;
export type ProductPropertyJson = JsonOf<typeof ProductProperty>;

/** Requests name the property. The service rejects a blank name, because the error is reported under `property`. */
const named = z.object({ property_name: fields.text().optional.describe(NAME) });

export const ProductPropertyCreate = wrapped(
  'product_property',
  named.extend(ProductProperty.Attributes.shape),
);
export const ProductPropertyUpdate = wrapped('product_property', named.extend(ProductProperty.Changes.shape));

export type ProductPropertyAttributes = z.output<typeof ProductPropertyCreate>['product_property'];
export type ProductPropertyChanges = z.output<typeof ProductPropertyUpdate>['product_property'];

/** A row of `product_properties_attributes`. `id` with `_destroy` deletes; a new row with a blank name is skipped. */
export const ProductPropertyInput = z.object({
  id: fields.reference().optional,
  property_name: fields.text().optional.describe(NAME),
  value: fields.text().optional.describe(VALUE),
  _destroy: fields.boolean().optional,
});

export type ProductPropertyInput = z.output<typeof ProductPropertyInput>;
