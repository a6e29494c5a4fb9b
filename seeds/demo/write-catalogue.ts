import type { Knex } from 'knex';
import { toSlug } from '../../src/platform/slug';
import { at, getValue, insertLinks, insertRows } from './insert-rows';
import { optionTypes } from './options';
import { CATALOGUE } from './products/catalogue';
import type { ProductContent } from './products/product-content';
import { planVariants, type VariantPlan } from './variants';
import { type TaxonIds, writeTaxonomies } from './write-taxons';

/** A variant with its content and, once written, its id. */
export interface WrittenVariant extends VariantPlan {
  readonly id: number;
  readonly product: ProductContent;
  readonly product_id: number;
}

const DAY_MS = 86_400_000;

/**
 * Writes the demo catalog without images, in about 15 statements. Requires the reference data (the shipping category
 * "Default" and a stock location with `propagate_all_variants`) and an empty catalog. Product dates are relative to
 * `now`.
 * @returns all variants, including masters, in the order of their ids
 */
export async function writeCatalogue(tx: Knex.Transaction, now: Date): Promise<WrittenVariant[]> {
  const taxonIds = await writeTaxonomies(tx);
  const options = await writeOptionTypes(tx);
  const productIds = await writeProducts(tx, now);
  const variants = await writeVariants(tx, productIds);
  await insertLinks(tx, 'product_option_types', buildProductOptionTypeRows(productIds, options.typeIds));
  await insertLinks(tx, 'variant_option_values', buildOptionValueRows(variants, options.valueIds));
  await insertRows(
    tx,
    'prices',
    variants.map(({ id, price }) => ({ variant_id: id, currency: 'USD', amount: price })),
  );
  await writeProperties(tx, productIds);
  await insertRows(tx, 'classifications', buildClassificationRows(productIds, taxonIds));
  await writeStock(tx, variants);
  return variants;
}

interface OptionIds {
  readonly typeIds: ReadonlyMap<string, number>;
  /** By `type/value`. */
  readonly valueIds: ReadonlyMap<string, number>;
}

async function writeOptionTypes(tx: Knex.Transaction): Promise<OptionIds> {
  const types = Object.entries(optionTypes).map(([name, { presentation }], index) => ({
    name,
    presentation,
    position: index + 1,
  }));
  const ids = await insertRows(tx, 'option_types', types);
  const typeIds = new Map(types.map(({ name }, index) => [name, at(ids, index)]));

  const values = Object.entries(optionTypes).flatMap(([type, content]) =>
    Object.entries(content.values).map(([name, presentation], index) => ({
      type,
      name,
      presentation,
      position: index + 1,
    })),
  );
  const rows = values.map(({ type, ...value }) => ({ ...value, option_type_id: getValue(typeIds, type) }));
  const valueRowIds = await insertRows(tx, 'option_values', rows);
  const valueIds = new Map(
    values.map(({ type, name }, index) => [`${type}/${name}`, at(valueRowIds, index)]),
  );
  return { typeIds, valueIds };
}

async function writeProducts(tx: Knex.Transaction, now: Date): Promise<number[]> {
  const category = await tx('shipping_categories')
    .where({ name: 'Default' })
    .first<{ id: number } | undefined>('id');
  if (category === undefined) throw new Error('the reference data is missing; load it before the demo store');
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const rows = CATALOGUE.map((product) => ({
    name: product.name,
    description: product.description,
    slug: toSlug(product.name),
    meta_title: product.meta_title ?? null,
    meta_description: product.meta_description ?? null,
    meta_keywords: product.meta_keywords ?? null,
    available_on: daysAgo(product.on_sale_for_days),
    discontinue_on:
      product.discontinued_for_days === undefined ? null : daysAgo(product.discontinued_for_days),
    shipping_category_id: category.id,
  }));
  return insertRows(tx, 'products', rows);
}

async function writeVariants(tx: Knex.Transaction, productIds: readonly number[]): Promise<WrittenVariant[]> {
  const planned = CATALOGUE.flatMap((product, index) =>
    planVariants(product).map((variant, rank) => ({
      variant,
      product,
      product_id: at(productIds, index),
      position: rank + 1,
    })),
  );
  const rows = planned.map(({ variant, product, product_id, position }) => ({
    product_id,
    position,
    weight: product.weight,
    cost_price: product.cost_price,
    cost_currency: 'USD',
    sku: variant.sku,
    is_master: variant.is_master,
    track_inventory: variant.track_inventory,
  }));
  const ids = await insertRows(tx, 'variants', rows);
  return planned.map(({ variant, product, product_id }, index) => ({
    ...variant,
    product,
    product_id,
    id: at(ids, index),
  }));
}

function buildProductOptionTypeRows(
  productIds: readonly number[],
  typeIds: ReadonlyMap<string, number>,
): object[] {
  return CATALOGUE.flatMap(({ options = {} }, index) =>
    Object.keys(options).map((type, rank) => ({
      product_id: at(productIds, index),
      option_type_id: getValue(typeIds, type),
      position: rank + 1,
    })),
  );
}

function buildOptionValueRows(
  variants: readonly WrittenVariant[],
  valueIds: ReadonlyMap<string, number>,
): object[] {
  return variants.flatMap(({ id, choices }) =>
    choices.map(({ type, value }) => ({
      variant_id: id,
      option_value_id: getValue(valueIds, `${type}/${value}`),
    })),
  );
}

async function writeProperties(tx: Knex.Transaction, productIds: readonly number[]): Promise<void> {
  const presentations = [...new Set(CATALOGUE.flatMap(({ properties }) => Object.keys(properties)))];
  const ids = await insertRows(
    tx,
    'properties',
    presentations.map((presentation) => ({ name: toSlug(presentation), presentation })),
  );
  const propertyIds = new Map(presentations.map((presentation, index) => [presentation, at(ids, index)]));
  const rows = CATALOGUE.flatMap(({ properties }, index) =>
    Object.entries(properties).map(([presentation, value], rank) => ({
      product_id: at(productIds, index),
      property_id: getValue(propertyIds, presentation),
      value,
      position: rank + 1,
    })),
  );
  await insertRows(tx, 'product_properties', rows);
}

function buildClassificationRows(productIds: readonly number[], taxonIds: TaxonIds): object[] {
  const filled = new Map<number, number>();
  return CATALOGUE.flatMap(({ taxons }, index) =>
    [...new Set(taxons.flatMap((name) => getValue(taxonIds, name)))].map((taxon_id) => {
      const position = (filled.get(taxon_id) ?? 0) + 1;
      filled.set(taxon_id, position);
      return { product_id: at(productIds, index), taxon_id, position };
    }),
  );
}

/**
 * Writes stock items in all locations with `propagate_all_variants`. The default one has all stock, in one movement per
 * item.
 */
async function writeStock(tx: Knex.Transaction, variants: readonly WrittenVariant[]): Promise<void> {
  await tx.raw(
    `WITH stocked AS (
       SELECT * FROM jsonb_to_recordset(?) AS (id integer, count_on_hand integer, backorderable boolean)
     ), items AS (
       INSERT INTO stock_items (stock_location_id, variant_id, count_on_hand, backorderable)
       SELECT locations.id, stocked.id, CASE WHEN locations.is_default THEN stocked.count_on_hand ELSE 0 END,
         locations.is_default AND stocked.backorderable
       FROM stock_locations AS locations CROSS JOIN stocked
       WHERE locations.propagate_all_variants AND locations.deleted_at IS NULL
       ORDER BY locations.id, stocked.id
       RETURNING id, count_on_hand
     )
     INSERT INTO stock_movements (stock_item_id, quantity, action)
     SELECT id, count_on_hand, 'received' FROM items WHERE count_on_hand <> 0 ORDER BY id`,
    [
      JSON.stringify(
        variants.map(({ id, count_on_hand, backorderable }) => ({ id, count_on_hand, backorderable })),
      ),
    ],
  );
}
