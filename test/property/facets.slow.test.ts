import { FACET_BOUNDS } from '../../src/catalog/product-queries/facet-bounds';
import { api } from '../support/api';
import { asAdmin } from '../support/accounts.factory';
import { testDb } from '../support/database';
import { aTaxon, aTaxonomy } from '../support/taxons.factory';
import { getDefaultShippingCategoryId, anOptionType } from '../support/products.factory';
import { unique } from '../support/unique';

interface Variant {
  /** The names of option values, by the name of the type. */
  options: Record<string, string>;
  cents: number;
  available: boolean;
}

interface Product {
  id: number;
  variants: Variant[];
  properties: Record<string, string>;
  taxons: number[];
}

interface Filters {
  options: Record<string, string[]>;
  properties: Record<string, string[]>;
  taxon: number | null;
  min: number | null;
  max: number | null;
  inStock: boolean | null;
}

/** A small linear congruential generator: a failure repeats. */
function createRandom(seed: number) {
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return { next, pick: <T>(list: readonly T[]): T => list[next(list.length)] as T };
}

const COLORS = ['navy', 'red', 'sand'];
const SIZES = ['S', 'M', 'L'];
const MATERIALS = ['cotton', 'wool', 'linen'];
const random = createRandom(20261122);

let color: { name: string; option_values: { id: number; name: string }[] };
let size: typeof color;
let material: string;
/** A root with two children, one of which has a child. */
let taxons: { id: number; parent: number | null }[];
const products: Product[] = [];

beforeAll(async () => {
  const db = testDb();
  color = await anOptionType('Colour', ...COLORS);
  size = await anOptionType('Size', ...SIZES);
  material = unique('material');
  const [property] = await db('properties')
    .insert({ name: material, presentation: 'Material' })
    .returning('id');
  const taxonomy = await aTaxonomy();
  const left = await aTaxon(taxonomy);
  const right = await aTaxon(taxonomy);
  const below = await aTaxon(taxonomy, { parent_id: left.id });
  const root = taxonomy.root.id;
  taxons = [
    { id: root, parent: null },
    { id: left.id, parent: root },
    { id: right.id, parent: root },
    { id: below.id, parent: left.id },
  ];
  const shipping_category_id = await getDefaultShippingCategoryId();
  const location = await db('stock_locations').where({ active: true }).first('id');
  for (let n = 0; n < 40; n += 1) {
    await db.transaction(async (tx) => {
      const [{ id }] = await tx('products')
        .insert({ name: `P${n}`, slug: unique('p'), available_on: '2020-01-01', shipping_category_id })
        .returning('id');
      const product: Product = { id, variants: [], properties: {}, taxons: [] };
      const count = random.next(5);
      for (let position = 0; position <= count; position += 1) {
        const options =
          position === 0 ? {} : { [color.name]: random.pick(COLORS), [size.name]: random.pick(SIZES) };
        const variant = { options, cents: 100 * (1 + random.next(6)), available: random.next(3) > 0 };
        const [{ id: variant_id }] = await tx('variants')
          .insert({ product_id: id, is_master: position === 0, position: position + 1 })
          .returning('id');
        await tx('prices').insert({ variant_id, currency: 'USD', amount: variant.cents / 100 });
        const stock = { variant_id, stock_location_id: location.id };
        await tx('stock_items').insert({ ...stock, count_on_hand: variant.available ? 3 : 0 });
        for (const type of [color, size]) {
          const value = type.option_values.find(({ name }) => name === options[type.name]);
          if (value !== undefined)
            await tx('variant_option_values').insert({ variant_id, option_value_id: value.id });
        }
        if (position > 0 || count === 0) product.variants.push(variant);
      }
      if (random.next(3) > 0) {
        product.properties[material] = random.pick(MATERIALS);
        const value = { property_id: property.id, value: product.properties[material], position: 1 };
        await tx('product_properties').insert({ product_id: id, ...value });
      }
      for (const taxon of taxons) {
        if (random.next(4) > 0) continue;
        product.taxons.push(taxon.id);
        await tx('classifications').insert({ product_id: id, taxon_id: taxon.id, position: n + 1 });
      }
      products.push(product);
    });
  }
});

const isBelow = (id: number, top: number): boolean => {
  const taxon = taxons.find((one) => one.id === id);
  return taxon !== undefined && (id === top || (taxon.parent !== null && isBelow(taxon.parent, top)));
};

function listMatchingVariants(product: Product, filters: Filters): Variant[] {
  return product.variants.filter(
    ({ options, cents }) =>
      Object.entries(filters.options).every(([type, values]) => values.includes(options[type] ?? '')) &&
      (filters.min === null || cents >= filters.min) &&
      (filters.max === null || cents <= filters.max),
  );
}

function matches(product: Product, filters: Filters): boolean {
  const matching = listMatchingVariants(product, filters);
  const isOffered =
    filters.inStock === null
      ? matching.length > 0
      : matching.length > 0 && matching.some(({ available }) => available) === filters.inStock;
  return (
    isOffered &&
    Object.entries(filters.properties).every(([name, values]) =>
      values.includes(product.properties[name] ?? ''),
    ) &&
    (filters.taxon === null || product.taxons.some((id) => isBelow(id, filters.taxon ?? 0)))
  );
}

/** Counts the products that the list would have with each value; the values that have none are left out. */
function countBy<T>(values: readonly T[], toFilters: (value: T) => Filters): [T, number][] {
  return values
    .map((value): [T, number] => [value, products.filter((one) => matches(one, toFilters(value))).length])
    .filter(([, count]) => count > 0);
}

function countNaively(filters: Filters) {
  const options = (type: string, values: string[]) =>
    countBy(values, (value) => ({ ...filters, options: { ...filters.options, [type]: [value] } }));
  const free = { ...filters, min: null, max: null };
  const prices = products
    .filter((one) => matches(one, free))
    .flatMap((one) =>
      listMatchingVariants(one, free).filter(({ available }) => filters.inStock !== true || available),
    )
    .map(({ cents }) => cents);
  const price = (cents: number) => (prices.length === 0 ? null : `${cents / 100}.0`);
  return {
    total: products.filter((one) => matches(one, filters)).length,
    [color.name]: options(color.name, COLORS),
    [size.name]: options(size.name, SIZES),
    material: countBy(MATERIALS, (value) => ({ ...filters, properties: { [material]: [value] } })),
    taxons: countBy(
      taxons.map(({ id }) => id),
      (taxon) => ({ ...filters, taxon }),
    ),
    price: { min: price(Math.min(...prices)), max: price(Math.max(...prices)) },
    in_stock: countBy([true, false], (inStock) => ({ ...filters, inStock })),
  };
}

interface Counted {
  value: string;
  count: number;
}

function readReply(body: any) {
  const { options, properties, taxons: counted, price, in_stock } = body.facets;
  const pairs = (list: Counted[] = []) => list.map(({ value, count }) => [value, count]);
  const order = taxons.map(({ id }) => id);
  return {
    total: body.total_count,
    [color.name]: pairs(options[color.name]),
    [size.name]: pairs(options[size.name]),
    material: pairs(properties[material]).sort(
      ([a], [b]) => MATERIALS.indexOf(String(a)) - MATERIALS.indexOf(String(b)),
    ),
    taxons: counted
      .map(({ id, count }: { id: number; count: number }) => [id, count])
      .sort(([a]: number[], [b]: number[]) => order.indexOf(a ?? 0) - order.indexOf(b ?? 0)),
    price,
    in_stock: [true, false].flatMap((key) => (in_stock[String(key)] ? [[key, in_stock[String(key)]]] : [])),
  };
}

function chooseFilters(): Filters {
  const choose = <T>(value: () => T): T | null => (random.next(3) === 0 ? value() : null);
  const some = (values: string[]) => values.filter(() => random.next(2) === 0).concat(random.pick(values));
  const chosen = (names: readonly [string, string[]][]) =>
    Object.fromEntries(
      names.flatMap(([name, values]) => {
        const list = choose(() => some(values));
        return list === null ? [] : [[name, list]];
      }),
    );
  return {
    options: chosen([
      [color.name, COLORS],
      [size.name, SIZES],
    ]),
    properties: chosen([[material, MATERIALS]]),
    taxon: choose(() => random.pick(taxons).id),
    min: choose(() => 100 * (1 + random.next(4))),
    max: choose(() => 100 * (3 + random.next(4))),
    inStock: choose(() => random.next(2) === 0),
  };
}

function toQuery(filters: Filters): string {
  const parts: [string, string][] = [['facets', 'options,properties,taxons,price,in_stock']];
  for (const [name, values] of Object.entries(filters.options))
    parts.push([`option[${name}]`, values.join(',')]);
  for (const [name, values] of Object.entries(filters.properties))
    parts.push([`property[${name}]`, values.join(',')]);
  if (filters.taxon !== null) parts.push(['taxon', String(filters.taxon)]);
  if (filters.min !== null) parts.push(['price_min', String(filters.min / 100)]);
  if (filters.max !== null) parts.push(['price_max', String(filters.max / 100)]);
  if (filters.inStock !== null) parts.push(['in_stock', String(filters.inStock)]);
  return new URLSearchParams(parts).toString();
}

test('lists and facets are those of a naive count, for any filters', async () => {
  for (let round = 0; round < 120; round += 1) {
    const filters = chooseFilters();
    const reply = await api().get(`/products?${toQuery(filters)}`);
    expect(reply.status).toBe(200);
    expect([filters, readReply(reply.body)]).toEqual([filters, countNaively(filters)]);
  }
});

test('a large catalog has the same facets when all of it is drawn, whichever of them are counted anew', async () => {
  jest.replaceProperty(FACET_BOUNDS, 'listings', -1);
  for (let round = 0; round < 60; round += 1) {
    jest.replaceProperty(FACET_BOUNDS, 'counted', random.next(40));
    const filters = chooseFilters();
    const reply = await api().get(`/products?${toQuery(filters)}`);
    expect([filters, readReply(reply.body)]).toEqual([filters, countNaively(filters)]);
  }
  jest.restoreAllMocks();
});

test('they follow changes of stock, prices, options and properties', async () => {
  const admin = await asAdmin();
  const db = testDb();
  for (const product of products.slice(0, 12)) {
    const sold = await db('variants')
      .where({
        product_id: product.id,
        is_master:
          product.variants.length === 1 && Object.keys(product.variants[0]?.options ?? {}).length === 0,
      })
      .orderBy('id')
      .pluck('id');
    const [first] = product.variants;
    if (first === undefined) continue;
    first.available = !first.available;
    await db('stock_items')
      .where({ variant_id: sold[0] })
      .update({ count_on_hand: first.available ? 1 : 0 });
    first.cents = 700;
    await db('prices').where({ variant_id: sold[0] }).update({ amount: 7 });
    product.taxons = [taxons[3]?.id ?? 0];
    await admin.put(`/products/${product.id}`, { product: { taxon_ids: product.taxons } });
  }
  for (let round = 0; round < 30; round += 1) {
    const filters = chooseFilters();
    const reply = await api().get(`/products?${toQuery(filters)}`);
    expect([filters, readReply(reply.body)]).toEqual([filters, countNaively(filters)]);
  }
});
