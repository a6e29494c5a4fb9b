import { BLANK, TAKEN, type FieldErrors } from '../../platform/errors';
import { compareDecimals } from '../../platform/money';
import { omitUndefined } from '../../platform/omit-undefined';
import type { VariantColumns } from '../variants/variants.definition';
import {
  isEmpty,
  isSameSet,
  type PlannedProduct,
  type PlannedRow,
  type PlannedVariant,
  type ProductGroup,
} from './planned-rows';
import type { NamedOption } from './list-cells';
import type { ProductRow } from './product-cells.schema';
import type { ProductRecord } from './product-rows.repository';

/** A row, and the product that it belongs to as far as it is planned. */
interface VariantSource {
  group: ProductGroup;
  product: PlannedProduct;
  row: ProductRow;
  /** The variants that earlier rows of the group describe. */
  used: Set<PlannedVariant | ProductRecord>;
  skuOwners: Map<string, number>;
}

/** Plans the variant of a row and adds it to its product. */
export function planVariant(source: VariantSource): PlannedRow {
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
  const { weight, track_inventory, barcode, ...nullable } = readMeasures(row);
  if (barcode !== undefined && barcode !== record.barcode) columns.barcode = barcode;
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
  const barcode = row.barcode === '' ? null : row.barcode;
  const measures = { height, width, depth, cost_price, track_inventory, barcode };
  return omitUndefined({ ...measures, weight: weight === null ? '0' : weight });
}

function isSameNumber(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return compareDecimals(one, other) === 0;
}
