import { z } from 'zod';
import { boolean, decimalNumber, reference, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf } from '../../platform/resource/definition';

/** The percentage charged for one tax category in one zone. */
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
      description: 'Defaults to the name of the tax category in labels.',
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
      description: 'The zone where the rate applies. Null: it applies nowhere.',
    },
    tax_category_id: { type: reference(), required: true, search: true },
    included_in_price: {
      type: boolean(),
      default: false,
      search: true,
      description: 'Whether the tax is included in prices rather than added to them.',
    },
    show_rate_in_label: {
      type: boolean(),
      default: true,
      description: 'Whether the labels of its adjustments show the percentage.',
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
