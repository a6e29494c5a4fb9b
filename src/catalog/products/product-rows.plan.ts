import { BLANK, type FieldErrors } from '../../platform/errors';
import { TEXT_COLUMNS, TIME_COLUMNS } from './file-columns';
import {
  isEmpty,
  isSameSet,
  type PlannedColumns,
  type PlannedProduct,
  type PlannedRow,
  type PlannedVariant,
  type ProductGroup,
} from './planned-rows';
import type { ProductRow } from './product-cells.schema';
import type { ProductRecord } from './product-rows.repository';
import { planVariant } from './variant-rows.plan';

/** What the rows of one product may refer to. */
export interface PlanSources {
  now: Date;
  defaultShippingCategory: string;
  taxCategoryIds: ReadonlyMap<string, number>;
  taxonIds: ReadonlyMap<string, number>;
  /** The variants of other rows and products that have a SKU: their ids, or 0 for rows of this batch. */
  skuOwners: Map<string, number>;
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

type PlannedAttributes = Pick<PlannedProduct, 'columns' | 'taxons'>;

function planNewColumns(row: ProductRow, sources: PlanSources): PlannedAttributes | { errors: FieldErrors } {
  const related = resolveRelated(row, sources);
  const errors: FieldErrors = {
    ...(isEmpty(row.name) && { name: [BLANK] }),
    ...(isEmpty(row.price) && { price: [BLANK] }),
    ...related.errors,
  };
  if (isEmpty(row.name) || Object.keys(errors).length > 0) return { errors };
  const columns: PlannedColumns = {
    name: row.name,
    shipping_category: isEmpty(row.shipping_category)
      ? sources.defaultShippingCategory
      : row.shipping_category,
    tax_category_id: related.tax_category_id ?? null,
  };
  for (const name of TEXT_COLUMNS) columns[name] = row[name] ?? null;
  for (const name of TIME_COLUMNS) columns[name] = row[name] ?? null;
  if (row.available_on === undefined) columns.available_on = sources.now;
  return {
    columns,
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
  for (const name of TEXT_COLUMNS) {
    const value = row[name];
    if (value !== undefined && (value ?? '') !== (current[name] ?? ''))
      columns[name] = value === '' ? null : value;
  }
  for (const name of TIME_COLUMNS) {
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

const OF_PRODUCT = [...TEXT_COLUMNS, ...TIME_COLUMNS, 'name', 'shipping_category', 'tax_category'] as const;

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

/** Adds the master of a new product whose rows are all variants, with the price of the first. */
function addImplicitMaster(product: PlannedProduct, rows: readonly ProductRow[]): void {
  if (product.variants.some((one) => one.is_master)) return;
  product.variants.unshift({
    id: null,
    is_master: true,
    position: 1,
    columns: {},
    options: undefined,
    backorderable: false,
    price: rows[0]?.price ?? undefined,
  });
}
