import { isAdmin, type Actor } from '../../access/actor';
import { readMetadata, type Metadata, type MetadataChanges } from '../../access/metadata';
import { isBlank } from '../../platform/blank';
import { InvalidResource } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import { compareDecimals, roundMoney, type Currency } from '../../platform/money';
import { getSellableVariants, type SellableVariant } from '../fulfilment/sellable-variants.repository';
import type { LineItemRow, OrderGraph } from '../order/order-graph';
import type { Editor } from './editor';

/** A line item of a request: with `id` a change, otherwise an addition by variant or SKU. */
export interface LineRow extends MetadataChanges {
  id?: number | null | undefined;
  variant_id?: number | null | undefined;
  sku?: string | null | undefined;
  quantity?: number | null | undefined;
  /** Must be that of the order, in any letter case. */
  currency?: string | null | undefined;
  /** Ignored unless the actor is an admin. Defaults to the price of the variant. */
  price?: string | null | undefined;
}

/** The variant does not exist, is deleted, or is not available to the actor. */
export class UnknownVariant extends InvalidResource {
  /** @param index of the row in the request */
  constructor({ variant_id, sku }: Pick<LineRow, 'variant_id' | 'sku'>, index: number) {
    super({ 'line_items.variant': ["can't be blank"] });
    const given = variant_id != null ? 'variant_id' : sku != null ? 'sku' : null;
    this.withHint(
      given === null
        ? `line_items.${index} needs the variant_id or the sku of a variant on sale.`
        : `No variant on sale has the ${given} of line_items.${index}.`,
    );
  }
}

/** A line item as it will be stored. Quantity 0 removes it. */
export interface WantedLine {
  variant_id: number;
  quantity: number;
  price: string;
  /** Whether an admin sets the price now. */
  price_is_agreed: boolean;
  /** Whether an admin names the price, be it another one or not. */
  price_is_named: boolean;
  before: LineItemRow | null;
  /** What an admin sets. */
  metadata: Partial<Metadata>;
}

/**
 * Finds the line items as the rows of a request want them, one for each variant. Rows of unknown ids are ignored.
 * @throws UnknownVariant, InvalidResource
 */
export async function resolveRows(
  tx: Tx,
  order: OrderGraph,
  rows: readonly LineRow[],
  editor: Editor,
): Promise<WantedLine[]> {
  rejectOtherCurrencies(rows, order.currency);
  const additions = rows.filter((row) => row.id == null);
  const variants = await getSellableVariants(
    tx,
    editor,
    {
      ids: additions.flatMap((row) => row.variant_id ?? []),
      skus: additions.flatMap((row) => (row.variant_id == null ? (row.sku ?? []) : [])),
    },
    order,
  );
  const lines = new Map(order.line_items.map((line) => [line.variant_id, line]));
  const wanted = new Map<number, WantedLine>();
  for (const [index, row] of rows.entries()) {
    const known = { variants, lines, wanted, currency: order.currency, index };
    const line = row.id == null ? buildAddedLine(row, known, editor) : buildChangedLine(row, order, editor);
    if (line !== null) wanted.set(line.variant_id, line);
  }
  return [...wanted.values()];
}

function rejectOtherCurrencies(rows: readonly LineRow[], expected: Currency): void {
  const matches = ({ currency }: LineRow): boolean =>
    isBlank(currency) || currency.toUpperCase() === expected;
  if (!rows.every(matches))
    throw new InvalidResource({ 'line_items.currency': ['Must match order currency'] });
}

interface Known {
  variants: readonly SellableVariant[];
  lines: ReadonlyMap<number, LineItemRow>;
  wanted: ReadonlyMap<number, WantedLine>;
  currency: Currency;
  /** Of the row in the request. */
  index: number;
}

function buildAddedLine(
  row: LineRow,
  { variants, lines, wanted, currency, index }: Known,
  { actor }: Editor,
): WantedLine {
  const variant = variants.find(({ id, sku }) =>
    row.variant_id == null ? sku === row.sku : id === row.variant_id,
  );
  if (variant === undefined) throw new UnknownVariant(row, index);
  const before = lines.get(variant.id) ?? null;
  const quantity = row.quantity ?? 1;
  if (quantity < 1) throw new InvalidResource({ 'line_items.quantity': ['must be greater than 0'] });
  const total = quantity + (wanted.get(variant.id)?.quantity ?? before?.quantity ?? 0);
  if (total > MAX_INT4) {
    throw new InvalidResource({ 'line_items.quantity': [`must be less than or equal to ${MAX_INT4}`] });
  }
  const adminPrice = findAdminPrice(row, actor);
  const newPrice = adminPrice ?? (before === null ? variant.price : null);
  const price = newPrice === null ? before?.price : roundMoney(newPrice, currency);
  if (price === undefined) throw new InvalidResource({ 'line_items.price': ["can't be blank"] });
  const earlier = wanted.get(variant.id);
  const metadata = { ...earlier?.metadata, ...readMetadata(actor, row) };
  // An earlier row of the request may have set the price of the same variant.
  if (adminPrice === null && earlier !== undefined) return { ...earlier, quantity: total, metadata };
  if (earlier?.price_is_named === true && compareDecimals(earlier.price, price) !== 0) {
    throw new InvalidResource({ 'line_items.price': ['must be the same for all rows of a variant'] });
  }
  const price_is_agreed = adminPrice !== null && isOtherPrice(price, before?.price ?? variant.price);
  const price_is_named = adminPrice !== null;
  return {
    variant_id: variant.id,
    quantity: total,
    price,
    price_is_agreed,
    price_is_named,
    before,
    metadata,
  };
}

/** Clients send unchanged prices too; those are not agreements. */
function isOtherPrice(price: string, known: string | null): boolean {
  return known === null || compareDecimals(price, known) !== 0;
}

/** Only admins can set prices. */
function findAdminPrice(row: LineRow, actor: Actor): string | null {
  return isAdmin(actor) ? (row.price ?? null) : null;
}

function buildChangedLine(row: LineRow, order: OrderGraph, { actor }: Editor): WantedLine | null {
  const before = order.line_items.find(({ id }) => id === row.id);
  if (before === undefined) return null;
  const newPrice = findAdminPrice(row, actor);
  const price = newPrice === null ? before.price : roundMoney(newPrice, order.currency);
  return {
    variant_id: before.variant_id,
    quantity: row.quantity ?? before.quantity,
    price,
    price_is_agreed: isOtherPrice(price, before.price),
    price_is_named: newPrice !== null,
    before,
    metadata: readMetadata(actor, row),
  };
}
