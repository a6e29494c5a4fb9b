import { BLANK, TAKEN, type FieldErrors } from '../../platform/errors';
import { compareDecimals } from '../../platform/money';
import { omitUndefined } from '../../platform/omit-undefined';
import type { VariantColumns } from '../variants/variants.repository';
import type { ImportedProductColumns, ProductRecord } from './product-rows.repository';

/** A named option of a variant. */
export interface NamedOption {
  type: string;
  value: string;
}

/**
 * A row of a product file: one variant or master, with the attributes of its product. Undefined is a missing column,
 * null and '' an empty cell.
 */
export interface ProductRow {
  slug?: string | null | undefined;
  name?: string | null | undefined;
  description?: string | null | undefined;
  available_on?: Date | null | undefined;
  discontinue_on?: Date | null | undefined;
  meta_title?: string | null | undefined;
  meta_description?: string | null | undefined;
  meta_keywords?: string | null | undefined;
  shipping_category?: string | null | undefined;
  tax_category?: string | null | undefined;
  /** Permalinks. */
  taxons?: string[] | undefined;
  is_master?: boolean | undefined;
  sku?: string | null | undefined;
  price?: string | null | undefined;
  cost_price?: string | null | undefined;
  weight?: string | null | undefined;
  height?: string | null | undefined;
  width?: string | null | undefined;
  depth?: string | null | undefined;
  track_inventory?: boolean | undefined;
  options?: NamedOption[] | undefined;
  /** Of the stock items of a new variant; defaults to false. */
  backorderable?: boolean | undefined;
}

/** What the rows of one product may refer to. */
export interface PlanSources {
  now: Date;
  defaultShippingCategory: string;
  taxCategoryIds: ReadonlyMap<string, number>;
  taxonIds: ReadonlyMap<string, number>;
  /** The variants of other rows and products that have a SKU: their ids, or 0 for rows of this batch. */
  skuOwners: Map<string, number>;
}

/** The columns of a product; the shipping category is a name until it is found or created. */
export type PlannedColumns = Partial<Omit<ImportedProductColumns, 'shipping_category_id'>> & {
  shipping_category?: string;
};

/** A product to create or to change. */
export interface PlannedProduct {
  /** Null until it is created. */
  id: number | null;
  slug: string;
  columns: PlannedColumns;
  taxons: { added: number[]; removed: number[] };
  variants: PlannedVariant[];
  /** Whether a product that existed gets its variants stocked instead of its master. */
  gainsVariants: boolean;
}

/** A variant to create or to change. */
export interface PlannedVariant {
  /** Null until it is created. */
  id: number | null;
  is_master: boolean;
  /** Of a new variant. */
  position: number;
  columns: Partial<VariantColumns>;
  price: string | undefined;
  /** Replace those of the variant. */
  options: NamedOption[] | undefined;
  backorderable: boolean;
}

/** What became of a row of the group. */
export type PlannedRow = { variant: PlannedVariant; isChanged: boolean } | { errors: FieldErrors };

/** The rows of one product, and its current variants; none for a new product. */
export interface ProductGroup {
  slug: string;
  records: readonly ProductRecord[];
  rows: readonly ProductRow[];
}

/** Plans the changes of one product. `product` is null if no row can be applied. */
export function planProduct(
  group: ProductGroup,
  sources: PlanSources,
): { product: PlannedProduct | null; rows: PlannedRow[] } {
  const [current] = group.records;
  const [first = {}] = group.rows;
  const planned =
    current === undefined ? planNewColumns(first, sources) : planChangedColumns(first, current, sources);
  if ('errors' in planned) return { product: null, rows: group.rows.map(() => planned) };
  const product: PlannedProduct = {
    id: current?.product_id ?? null,
    slug: group.slug,
    ...planned,
    variants: [],
    gainsVariants: false,
  };
  const used = new Set<PlannedVariant | ProductRecord>();
  const hadVariants = group.records.some((record) => !record.is_master);
  const rows = group.rows.map((row, at): PlannedRow => {
    const errors = at === 0 ? {} : findDifferences(first, row);
    const variant = planVariant({ group, product, row, used, skuOwners: sources.skuOwners });
    if ('errors' in variant || Object.keys(errors).length > 0)
      return { errors: { ...errors, ...('errors' in variant && variant.errors) } };
    const isFirst = at === 0 && current !== undefined;
    const isProductChanged =
      isFirst &&
      Object.keys(product.columns).length + product.taxons.added.length + product.taxons.removed.length > 0;
    return { ...variant, isChanged: variant.isChanged || isProductChanged };
  });
  const isWritten = rows.some((row) => 'variant' in row);
  if (!isWritten) return { product: null, rows };
  if (current === undefined) addImplicitMaster(product, group.rows);
  else product.gainsVariants = !hadVariants && product.variants.some((one) => one.id === null);
  return { product, rows };
}

const isEmpty = (value: unknown): value is null | undefined | '' =>
  value === undefined || value === null || value === '';

const TEXTS = ['description', 'meta_title', 'meta_description', 'meta_keywords'] as const;
const TIMES = ['available_on', 'discontinue_on'] as const;

type PlannedAttributes = Pick<PlannedProduct, 'columns' | 'taxons'>;

function planNewColumns(row: ProductRow, sources: PlanSources): PlannedAttributes | { errors: FieldErrors } {
  const related = resolveRelated(row, sources);
  const errors: FieldErrors = {
    ...(isEmpty(row.name) && { name: [BLANK] }),
    ...(isEmpty(row.price) && { price: [BLANK] }),
    ...related.errors,
  };
  if (isEmpty(row.name) || Object.keys(errors).length > 0) return { errors };
  return {
    columns: {
      name: row.name,
      description: row.description ?? null,
      available_on: row.available_on === undefined ? sources.now : row.available_on,
      discontinue_on: row.discontinue_on ?? null,
      meta_title: row.meta_title ?? null,
      meta_description: row.meta_description ?? null,
      meta_keywords: row.meta_keywords ?? null,
      shipping_category: isEmpty(row.shipping_category)
        ? sources.defaultShippingCategory
        : row.shipping_category,
      tax_category_id: related.tax_category_id ?? null,
    },
    taxons: { added: related.taxon_ids ?? [], removed: [] },
  };
}

function planChangedColumns(
  row: ProductRow,
  current: ProductRecord,
  sources: PlanSources,
): PlannedAttributes | { errors: FieldErrors } {
  const related = resolveRelated(row, sources);
  const errors: FieldErrors = { ...(row.name === '' && { name: [BLANK] }), ...related.errors };
  if (Object.keys(errors).length > 0) return { errors };
  const columns: PlannedColumns = {};
  if (!isEmpty(row.name) && row.name !== current.name) columns.name = row.name;
  for (const name of TEXTS) {
    const value = row[name];
    if (value !== undefined && (value ?? '') !== (current[name] ?? ''))
      columns[name] = value === '' ? null : value;
  }
  for (const name of TIMES) {
    const value = row[name];
    if (value !== undefined && value?.getTime() !== current[name]?.getTime()) columns[name] = value;
  }
  if (!isEmpty(row.shipping_category) && row.shipping_category !== current.shipping_category)
    columns.shipping_category = row.shipping_category;
  if (row.tax_category !== undefined && (row.tax_category ?? '') !== (current.tax_category ?? ''))
    columns.tax_category_id = related.tax_category_id ?? null;
  const before = current.taxons;
  const after = row.taxons ?? before;
  const idsOf = (permalinks: string[]) => permalinks.flatMap((one) => sources.taxonIds.get(one) ?? []);
  return {
    columns,
    taxons: {
      added: idsOf(after.filter((one) => !before.includes(one))),
      removed: idsOf(before.filter((one) => !after.includes(one))),
    },
  };
}

function resolveRelated({ tax_category, taxons }: ProductRow, { taxCategoryIds, taxonIds }: PlanSources) {
  const unknown = taxons?.filter((one) => !taxonIds.has(one)) ?? [];
  const tax_category_id = isEmpty(tax_category) ? null : taxCategoryIds.get(tax_category);
  return {
    tax_category_id,
    taxon_ids: taxons?.flatMap((one) => taxonIds.get(one) ?? []),
    errors: {
      ...(tax_category_id === undefined && { tax_category: ['does not exist'] }),
      ...(unknown.length > 0 && { taxons: unknown.map((one) => `${one} does not exist`) }),
    },
  };
}

const OF_PRODUCT = [...TEXTS, ...TIMES, 'name', 'shipping_category', 'tax_category'] as const;

/** Returns errors for attributes of the product that contradict its first row. Empty cells repeat it. */
function findDifferences(first: ProductRow, row: ProductRow): FieldErrors {
  const errors: FieldErrors = {};
  const note = (name: string) => (errors[name] = ['differs from the first row of the product']);
  for (const name of OF_PRODUCT) {
    if (!isEmpty(row[name]) && String(row[name]) !== String(first[name])) note(name);
  }
  if (row.taxons !== undefined && row.taxons.length > 0 && !isSameSet(row.taxons, first.taxons ?? []))
    note('taxons');
  return errors;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry) => other.includes(entry));
}

interface VariantSource {
  group: ProductGroup;
  product: PlannedProduct;
  row: ProductRow;
  /** The variants that earlier rows of the group describe. */
  used: Set<PlannedVariant | ProductRecord>;
  skuOwners: Map<string, number>;
}

function planVariant(
  source: VariantSource,
): { variant: PlannedVariant; isChanged: boolean } | { errors: FieldErrors } {
  const { product, row, used, skuOwners } = source;
  const sku = row.sku ?? '';
  const found = findRecord(source);
  if (found !== null && 'errors' in found) return found;
  if (found !== null && used.has(found))
    return { errors: { sku: ['the file has another row for this variant'] } };
  const owner = sku === '' ? undefined : skuOwners.get(sku);
  if (owner !== undefined && owner !== found?.variant_id) return { errors: { sku: [TAKEN] } };
  const options = row.options;
  if (found?.is_master !== false && isMasterRow(row) && (options ?? []).length > 0)
    return { errors: { options: ['a master variant has no options'] } };
  if (sku !== '') skuOwners.set(sku, found?.variant_id ?? 0);
  const variant = found === null ? planNewVariant(source) : planChangedVariant(row, found);
  if ('errors' in variant) return variant;
  if (found !== null) used.add(found);
  product.variants.push(variant);
  const { columns, price } = variant;
  const isChanged =
    found === null || price !== undefined || variant.options !== undefined || Object.keys(columns).length > 0;
  return { variant, isChanged };
}

function isMasterRow({ is_master, options = [] }: ProductRow): boolean {
  return is_master ?? options.length === 0;
}

/** Finds the current variant that a row describes; null if it describes a new one. */
function findRecord({ group, row, used }: VariantSource): ProductRecord | null | { errors: FieldErrors } {
  const sku = row.sku ?? '';
  const named = sku === '' ? undefined : group.records.find((record) => record.sku === sku);
  if (named !== undefined) return named;
  const master = group.records.find((record) => record.is_master);
  if (isMasterRow(row)) {
    if (master === undefined || row.is_master === true || sku === '' || master.sku === '')
      return master ?? null;
    return { errors: { sku: ['is not a SKU of this product; add options to create a variant'] } };
  }
  const isAlike = (record: ProductRecord) =>
    !record.is_master &&
    !used.has(record) &&
    (record.sku === '' || sku === '') &&
    isSameSet(listOptions(record.options), listOptions(row.options ?? []));
  return group.records.find(isAlike) ?? null;
}

const listOptions = (options: readonly NamedOption[]) =>
  options.map(({ type, value }) => JSON.stringify([type, value]));

function planNewVariant({ group, product, row }: VariantSource): PlannedVariant | { errors: FieldErrors } {
  const is_master = isMasterRow(row);
  if (is_master && product.variants.some((one) => one.is_master))
    return { errors: { sku: ['the product has another master row; add options to create a variant'] } };
  const positions = [...group.records, ...product.variants].map((one) => one.position);
  const price = row.price ?? findMasterPrice(group, product);
  if (isEmpty(price)) return { errors: { price: [BLANK] } };
  return {
    id: null,
    is_master,
    position: is_master ? 1 : Math.max(1, ...positions) + 1,
    columns: { ...readMeasures(row), ...(!isEmpty(row.sku) && { sku: row.sku }) },
    price,
    options: row.options !== undefined && row.options.length > 0 ? row.options : undefined,
    backorderable: row.backorderable ?? false,
  };
}

function findMasterPrice(group: ProductGroup, product: PlannedProduct): string | null | undefined {
  const planned = product.variants.find((one) => one.is_master)?.price;
  return planned ?? group.records.find((record) => record.is_master)?.price ?? group.rows[0]?.price;
}

function planChangedVariant(row: ProductRow, record: ProductRecord): PlannedVariant {
  const columns: Partial<VariantColumns> = {};
  if (!isEmpty(row.sku) && row.sku !== record.sku) columns.sku = row.sku;
  const { weight, track_inventory, ...nullable } = readMeasures(row);
  if (weight !== undefined && !isSameNumber(weight, record.weight)) columns.weight = weight;
  if (track_inventory !== undefined && track_inventory !== record.track_inventory)
    columns.track_inventory = track_inventory;
  for (const name of ['cost_price', 'height', 'width', 'depth'] as const) {
    const value = nullable[name];
    if (value !== undefined && !isSameNumber(value, record[name])) columns[name] = value;
  }
  const isRepriced = !isEmpty(row.price) && !isSameNumber(row.price, record.price);
  const hasNewOptions =
    row.options !== undefined && !isSameSet(listOptions(row.options), listOptions(record.options));
  return {
    id: record.variant_id,
    is_master: record.is_master,
    position: record.position,
    columns,
    price: isRepriced ? (row.price ?? undefined) : undefined,
    options: hasNewOptions ? row.options : undefined,
    backorderable: false,
  };
}

function readMeasures(row: ProductRow): Partial<VariantColumns> {
  const { weight, height, width, depth, cost_price, track_inventory } = row;
  const measures = { height, width, depth, cost_price, track_inventory };
  return omitUndefined({ ...measures, weight: weight === null ? '0' : weight });
}

function isSameNumber(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return compareDecimals(one, other) === 0;
}

/** Adds the master of a new product whose rows are all variants, with the price of the first. */
function addImplicitMaster(product: PlannedProduct, rows: readonly ProductRow[]): void {
  if (product.variants.some((one) => one.is_master)) return;
  product.variants.unshift({
    ...{ id: null, is_master: true, position: 1, columns: {}, options: undefined, backorderable: false },
    price: rows[0]?.price ?? undefined,
  });
}
