import { z } from 'zod';
import { INVALID } from '../../platform/errors';
import { listingNames } from '../../platform/http/ignored-parameters';
import { toStorable } from '../../platform/json-object';
import { MAX_INT4 } from '../../platform/int4';
import { parseDecimal } from '../../platform/money';
import { isScalar, readBoolean, toList, toRecord } from '../../platform/parameters';
import {
  FACETS,
  type FacetName,
  type NamedFilter,
  type ProductFilters,
} from '../product-queries/product-filters';
import { FACET_BOUNDS } from '../product-queries/facet-bounds';
import { splitSearch } from '../product-queries/search-words';
import { namedObject } from '../../platform/http/named-object';

/** Limits of a request. Filters and values beyond them are an error. */
const MOST_FILTERS = 20;
const MOST_VALUES = 100;
const LONGEST_VALUE = 255;

const TOO_MANY = 'has too many values';

/** A text that PostgreSQL can store, without surrounding white space; null if it is blank. */
function readText(raw: unknown): string | null {
  if (!isScalar(raw)) return null;
  const text = toStorable(String(raw)).trim();
  return text === '' ? null : text;
}

/** Reads `navy,blue`, a list, or an index-keyed object, without blank entries. */
function readValues(raw: unknown): string[] {
  const entries = isScalar(raw) ? String(raw).split(',') : (toList(raw) ?? []);
  return [...new Set(entries.flatMap((entry) => readText(entry) ?? []))];
}

const TEXT_OR_TEXTS = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

/** Reads one text; others than texts are an error. */
const singleText = z.preprocess((raw, context): string | null => {
  if (raw === undefined || raw === null || isScalar(raw)) return readText(raw);
  context.addIssue({ code: 'custom', message: INVALID });
  return z.NEVER;
}, z.string().nullable());

function named(of: string, example: Record<string, string>) {
  return z
    .preprocess(
      (raw, context): NamedFilter[] => {
        if (readText(raw) !== null) {
          context.addIssue({ code: 'custom', message: INVALID });
          return z.NEVER;
        }
        const filters = Object.entries(toRecord(raw))
          .map(([name, values]) => ({ name: toStorable(name), values: readValues(values) }))
          .filter(({ values }) => values.length > 0);
        const isTooLong = filters.some(
          ({ name, values }) =>
            values.length > MOST_VALUES || [name, ...values].some((text) => text.length > LONGEST_VALUE),
        );
        if (!isTooLong && filters.length <= MOST_FILTERS) return filters;
        context.addIssue({ code: 'custom', message: TOO_MANY });
        return z.NEVER;
      },
      z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
    )
    .optional()
    .meta({
      description: `${of} Comma-separated, or a list for values that contain a comma. A name or a value that does not exist finds nothing. Up to ${MOST_FILTERS} names, ${MOST_VALUES} values each.`,
      examples: [example],
      override: { type: 'object', additionalProperties: TEXT_OR_TEXTS },
      param: { style: 'deepObject', explode: true },
    });
}

/** Reads a price in cents: a lower bound is rounded up, an upper bound down. */
function bound(description: string, isLower: boolean) {
  return z
    .preprocess((raw, context): number | null => {
      if (raw === undefined || raw === null || raw === '') return null;
      const decimal = typeof raw === 'boolean' ? null : parseDecimal(raw);
      if (decimal !== null) return toCents(decimal, isLower);
      context.addIssue({ code: 'custom', message: 'is not a number' });
      return z.NEVER;
    }, z.int().nullable())
    .optional()
    .meta({ description, examples: ['19.99'], override: { type: 'string', format: 'decimal' } });
}

/** Prices have at most eight digits: a bound beyond them, or below 0, finds all or nothing. */
function toCents(decimal: string, isLower: boolean): number {
  if (decimal.startsWith('-')) return isLower ? 0 : -1;
  const [whole = '0', fraction = ''] = decimal.split('.');
  const hasMore = /[1-9]/.test(fraction.slice(2));
  const cents = BigInt(whole + fraction.slice(0, 2).padEnd(2, '0')) + (isLower && hasMore ? 1n : 0n);
  return cents > BigInt(MAX_INT4 - 1) ? MAX_INT4 : Number(cents);
}

const search = singleText
  .transform((text) => text?.slice(0, 1000) ?? null)
  .optional()
  .meta({
    description:
      'Finds products with all these words, in any order, in name, description, SKUs, option values, property values and ' +
      'names of taxons. The last word may be the beginning of a word or of a SKU. Reduces words to their stems in the language of ' +
      'the store, ignores the marks of letters, finds Chinese, Japanese and Korean by parts of words, and corrects a misspelled ' +
      'word of five letters or more if nothing else fits. The best matches come first, unless `q[s]` sorts.',
    examples: ['breton stripes'],
  });

const facets = listingNames(
  z
    .preprocess((raw) => readValues(raw).filter(isFacet), z.array(z.enum(FACETS)))
    .optional()
    .meta({
      description:
        "Adds `facets` to the reply: how many products there are for each value. A facet's own filter does not narrow its counts. " +
        'A comma-separated list of `options`, `properties`, `taxons`, `price` and `in_stock`; other names are ignored.',
      examples: ['options,taxons,price'],
      override: { type: 'string' },
    }),
  { read: readValues, known: FACETS },
);

function isFacet(name: string): name is FacetName {
  return FACETS.some((facet) => facet === name);
}

const taxon = singleText
  .transform(
    (text) =>
      text
        ?.split('/')
        .filter((part) => part !== '')
        .join('/') ?? null,
  )
  .optional()
  .meta({
    description:
      'Permalink or id of a taxon; slashes around it are ignored. Includes its descendants. An unknown one finds nothing.',
    examples: ['categories/clothing'],
  });

const in_stock = z
  .preprocess((raw) => (raw === '' ? null : readBoolean(raw)), z.boolean().nullable())
  .optional()
  .describe(
    'With `true`, products with a variant that can be bought now; backorderable ones count. With `false`, the others. Means the same ' +
      'variant as `option`, `price_min` and `price_max`.',
  );

/** The parameters of lists of products, besides `q[...]`. */
export const filterParameters = {
  search,
  option: named('By option type, by name or presentation, in any case: one of these values.', {
    color: 'navy,blue',
  }),
  property: named('By property: one of these values, in any case.', { material: 'cotton,linen' }),
  taxon,
  price_min: bound(
    'The lowest price of a variant on sale, inclusive; of the master if there are no variants.',
    true,
  ),
  price_max: bound('The highest price of a variant on sale, inclusive.', false),
  in_stock,
  facets,
};

type FilterQuery = z.output<z.ZodObject<typeof filterParameters>>;

/** Returns the filters of a request. */
export function readFilters(query: FilterQuery): ProductFilters {
  return {
    words: query.search == null ? null : splitSearch(query.search),
    options: query.option ?? [],
    properties: query.property ?? [],
    taxon: query.taxon ?? null,
    minCents: query.price_min ?? null,
    maxCents: query.price_max ?? null,
    inStock: query.in_stock ?? null,
    facets: query.facets ?? [],
  };
}

const describe = (bound: number): string => bound.toLocaleString('en-US');

const Count = z.object({
  value: z.string().describe('Use it in the filter.'),
  presentation: z.string(),
  count: z.int().describe('The number of products.'),
});

export const FacetsJson = namedObject('Facets', {
  approximate: z
    .array(z.enum(FACETS))
    .optional()
    .describe(
      `The facets that are estimated; absent if all are exact. In catalogs of more than ${describe(FACET_BOUNDS.listings)} products, those for which more than ${describe(FACET_BOUNDS.counted)} count are estimated from a sample, rounded to two digits: rare values may be missing, and so may the extreme prices. The total of the list is exact.`,
    ),
  options: z
    .record(z.string(), z.array(Count))
    .optional()
    .describe('By name of the option type; `value` is the name of an option value.'),
  option_facets: z
    .array(
      z.object({
        name: z.string(),
        presentation: z.string(),
        position: z.int().describe('Of the option type among all; the facets are in this order.'),
        values: z.array(Count).describe('By position.'),
      }),
    )
    .optional()
    .describe('The same as `options`, with the option types in their order and what a page shows of them.'),
  properties: z
    .record(z.string(), z.array(Count.extend({ presentation: z.string().describe('Of the property.') })))
    .optional()
    .describe('By name of the property; the 500 most frequent values of each.'),
  taxons: z
    .array(z.object({ id: z.int(), permalink: z.string(), name: z.string(), count: z.int() }))
    .optional()
    .describe('In tree order. Products of descendants count.'),
  price: z
    .object({ min: z.string().nullable(), max: z.string().nullable() })
    .optional()
    .describe('Of the matching variants; null if there are none.'),
  in_stock: z
    .object({ true: z.int().optional(), false: z.int().optional() })
    .optional()
    .describe('Products with a matching variant that can be bought now, and products with none.'),
});
