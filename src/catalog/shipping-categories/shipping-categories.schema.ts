import { z } from 'zod';
import { createSchema, text, updateSchema, wrapped } from '../../platform/http/fields';

export const ShippingCategoryJson = z
  .object({ id: z.int(), name: z.string() })
  .meta({ id: 'ShippingCategory' });

export type ShippingCategoryJson = z.output<typeof ShippingCategoryJson>;

const fields = { name: text({ trim: true }) };

export const SHIPPING_CATEGORY_REQUIRED = ['name'] as const;

export const ShippingCategoryCreate = wrapped(
  'shipping_category',
  createSchema(fields, SHIPPING_CATEGORY_REQUIRED),
);
export const ShippingCategoryUpdate = wrapped(
  'shipping_category',
  updateSchema(fields, SHIPPING_CATEGORY_REQUIRED),
);

export type ShippingCategoryAttributes = z.output<typeof ShippingCategoryCreate>['shipping_category'];
export type ShippingCategoryChanges = z.output<typeof ShippingCategoryUpdate>['shipping_category'];
