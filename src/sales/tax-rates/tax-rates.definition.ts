import { z } from 'zod';
import { boolean, decimalNumber, reference, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf } from '../../platform/resource/definition';

/** What is charged on one category in one zone. */
export const TaxRate = defineResource({
  table: 'tax_rates',
  name: 'tax_rate',
  schema: 'TaxRate',
  deletion: 'soft',
  fields: {
    name: {
      type: text({ trim: true }),
      nullable: true,
      search: true,
      description: "Without one, the category's name is shown.",
    },
    amount: {
      type: decimalNumber({ min: '0', max: '1', decimals: 5 }),
      required: true,
      search: true,
      description: 'A fraction: `0.19` is 19 percent.',
      reply: z.string().meta({ examples: ['0.19'] }),
    },
    zone_id: {
      type: reference(),
      nullable: true,
      search: true,
      description: 'Where it applies; null: nowhere.',
    },
    tax_category_id: { type: reference(), required: true, search: true },
    included_in_price: {
      type: boolean(),
      default: false,
      search: true,
      description: 'Whether prices include it, rather than it being added.',
    },
    show_rate_in_label: {
      type: boolean(),
      default: true,
      description: 'Whether its adjustments name the percentage.',
    },
  },
  search: {
    associations: {
      zone: {
        table: 'zones',
        on: (rate, zone) => `${zone}.id = ${rate}.zone_id`,
        attributes: { name: 'text' },
      },
      tax_category: {
        table: 'tax_categories',
        on: (rate, category) => `${category}.id = ${rate}.tax_category_id`,
        attributes: { name: 'text' },
      },
    },
  },
});

export type TaxRateJson = JsonOf<typeof TaxRate>;
