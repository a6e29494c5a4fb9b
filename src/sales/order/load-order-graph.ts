import type { ViewContext } from '../../catalog/product-queries/product-view';
import type { AddressGraph } from '../../geography/addresses/addresses.repository';
import type { Db } from '../../platform/database/knex';
import type { ReferenceRevisions } from '../../geography/reference-revisions.repository';
import { queryPrepared, type PreparedStatement } from '../../platform/database/prepared';
import { NotFound } from '../../platform/errors';
import {
  getOrderAndVariantStatement,
  ONE_ORDER,
  ONE_ORDER_WITH_STATES,
  ORDER_BY_NUMBER,
  ORDER_BY_NUMBER_WITH_STATES,
  SEVERAL_ORDERS,
} from './order-graph-sql';
import type { VariantState } from './order-variants';
import { buildSellableSql } from './sellable-sql';
import type { ShownOrder } from './orders.repository';
import type {
  AdjustmentRow,
  LineItemRow,
  PaymentGraph,
  ShippingRateRow,
  UnitCount,
  ShipmentGraph,
  OrderPromotion,
  OrderGraph,
} from './order-graph';

/** The timestamps of nested records. PostgreSQL returns timestamps inside JSON as text. */
const TIMES = ['created_at', 'updated_at', 'shipped_at', 'unit_shipped_at'] as const;

/** The timestamps of an order itself. */
const ORDER_TIMES = [
  ...(['created_at', 'updated_at', 'completed_at', 'canceled_at', 'approved_at'] as const),
  ...(['read_at', 'transaction_time'] as const),
];

/** Parses the timestamps of records in JSON, in place. */
function parseTimes<T>(rows: T[], times: readonly string[] = TIMES): T[] {
  for (const row of rows) {
    const record = row as Record<string, unknown>; // a row of JSON is a record
    for (const key of times) {
      const value = record[key];
      if (typeof value === 'string') record[key] = new Date(value);
    }
  }
  return rows;
}

/** An order with the states of the variants of its line items. */
export interface OrderWithStates {
  graph: OrderGraph;
  states: readonly VariantState[];
}

/** A variant that the actor adds to an order. */
export interface AddedVariant {
  id: number;
  ctx: ViewContext;
}

/** Times inside JSON are text, and bytes are hexadecimal after `\x`. */
interface LoadedOrder extends Omit<ShownOrder, 'token_seed' | 'token_hash'> {
  token_seed: string;
  token_hash: string;
  shipments: Omit<ShipmentGraph, 'units' | 'rates'>[];
  units: UnitCount[];
  rates: ShippingRateRow[];
  shop_has_taxes: boolean;
  shop_has_promotions: boolean;
  captures_on_dispatch: boolean;
  captures_at_once: boolean;
  revisions: ReferenceRevisions;
  read_at: Date;
  transaction_time: Date;
  bill_address: AddressGraph | null;
  ship_address: AddressGraph | null;
  line_items: LineItemRow[];
  adjustments: AdjustmentRow[];
  payments: PaymentGraph[];
  promotions: OrderPromotion[];
  /** Undefined if the statement does not read them. */
  variant_states?: VariantState[];
}

interface LoadedRow {
  loaded: LoadedOrder;
}

/**
 * Loads orders with their nested records, in the order of `ids`. Unknown ids are ignored. One statement for any number
 * of orders.
 */
export async function loadOrderGraphs(db: Db, ids: readonly number[]): Promise<OrderGraph[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.raw<{ rows: LoadedRow[] }>(SEVERAL_ORDERS, [[...ids]]);
  const byId = new Map(rows.map(({ loaded }) => [loaded.id, buildGraph(loaded)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Loads an order with its nested records. One statement. @throws NotFound */
export async function loadOrderGraph(db: Db, id: number): Promise<OrderGraph> {
  const [row] = await queryOrder(db, ONE_ORDER, id);
  if (row === undefined) throw new NotFound();
  return buildGraph(row.loaded);
}

/**
 * Finds an order by its number or id, as `loadOrderGraph` loads it. With `withStates`, with the states of its variants, and
 * with `added`, which needs the number, also with the state of that variant, and whether the caller may add each variant.
 */
export async function findOrder(
  db: Db,
  key: { number: string } | { id: number },
  { withStates = false, added = null }: { withStates?: boolean; added?: AddedVariant | null } = {},
): Promise<OrderWithStates | undefined> {
  const [row] =
    'id' in key
      ? await queryOrder(db, withStates ? ONE_ORDER_WITH_STATES : ONE_ORDER, key.id)
      : added !== null
        ? await queryOrderAndVariant(db, key.number, added)
        : await queryOrder(db, withStates ? ORDER_BY_NUMBER_WITH_STATES : ORDER_BY_NUMBER, key.number);
  return row === undefined ? undefined : buildWithStates(row.loaded);
}

function queryOrder(db: Db, statement: PreparedStatement, key: string | number): Promise<LoadedRow[]> {
  return queryPrepared(db, statement, [key]);
}

function queryOrderAndVariant(db: Db, number: string, { id, ctx }: AddedVariant): Promise<LoadedRow[]> {
  const sellable = buildSellableSql(ctx);
  const statement = getOrderAndVariantStatement(ctx.actor.kind, sellable);
  return queryPrepared(db, statement, [...sellable.bindings, id, number]);
}

const buildGraph = (loaded: LoadedOrder): OrderGraph => buildWithStates(loaded).graph;

function buildWithStates(loaded: LoadedOrder): OrderWithStates {
  const { units, rates, shipments, variant_states } = loaded;
  parseTimes([loaded], ORDER_TIMES);
  // The row becomes the graph, because copying its sixty columns takes longer than reading them.
  const graph = Object.assign(loaded, {
    token_seed: parseBytes(loaded.token_seed),
    token_hash: parseBytes(loaded.token_hash),
    units: undefined,
    rates: undefined,
    variant_states: undefined,
    variants: new Map<number, never>(),
    has_final_stock: false,
    line_items: parseTimes(loaded.line_items),
    adjustments: parseTimes(loaded.adjustments),
    payments: parseTimes(loaded.payments),
    shipments: parseTimes(shipments).map((shipment) => ({
      units: units.filter((unit) => unit.shipment_id === shipment.id),
      rates: rates.filter((rate) => rate.shipment_id === shipment.id),
      ...shipment,
    })),
  });
  return { graph, states: variant_states ?? [] };
}

const parseBytes = (text: string): Buffer => Buffer.from(text.slice('\\x'.length), 'hex');
