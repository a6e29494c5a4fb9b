import { z } from 'zod';
import { toStorable } from '../../platform/json-object';
import { namedObject } from '../../platform/http/named-object';

const MOST = 20;
const DEFAULT = 8;

export const SuggestionsQuery = z.object({
  search: z
    .unknown()
    .transform((text) => (typeof text === 'string' ? toStorable(text.slice(0, 200)) : ''))
    .optional()
    .meta({
      description: 'What was typed so far. The last word may be the beginning of a word or of a SKU.',
      examples: ['sto'],
      override: { type: 'string' },
    }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST)
    .catch(DEFAULT)
    .optional()
    .meta({
      description: `The number of products and of taxons, up to ${MOST}; defaults to ${DEFAULT}.`,
      override: { type: 'integer', minimum: 1, maximum: MOST },
    }),
});

/** Returns the number of suggestions of a request. */
export const readLimit = ({ limit }: z.output<typeof SuggestionsQuery>): number => limit ?? DEFAULT;

export const SuggestionsJson = namedObject('Suggestions', {
  products: z
    .array(
      z.object({
        id: z.int(),
        name: z.string(),
        slug: z.string().describe('The name of the product in addresses.'),
        display_price: z.string().nullable().describe('The price of the master, formatted.'),
        image_url: z
          .string()
          .nullable()
          .describe('The first image, 100 pixels wide or high. Null without one.'),
      }),
    )
    .describe('Those with the words in their names come first, then those that sold most.'),
  taxons: z
    .array(z.object({ id: z.int(), name: z.string(), permalink: z.string() }))
    .describe('Those with the words in their names, the highest in the trees first.'),
});

export type SuggestionsJson = z.output<typeof SuggestionsJson>;
