import type { KnownOrder, World } from './world';
import { api } from '../../support/api';
import { cents } from './charges';

/** The parts of an order's JSON that the model takes as given, and what it checks. Amounts are decimal strings. */
export interface OrderJson {
  id: number;
  number: string;
  state: string;
  completed_at: string | null;
  item_total: string;
  ship_total: string;
  adjustment_total: string;
  included_tax_total: string;
  additional_tax_total: string;
  tax_total: string;
  total: string;
  payment_total: string;
  payment_state: string | null;
  shipment_state: string | null;
  total_quantity: number;
  ship_address: { country_id: number } | null;
  line_items: LineJson[];
  shipments: ShipmentJson[];
  adjustments: AdjustmentJson[];
  payments: { state: string }[];
}

export interface LineJson {
  id: number;
  variant_id: number;
  quantity: number;
  price: string;
  total: string;
  adjustments: AdjustmentJson[];
}

export interface ShipmentJson {
  id: number;
  number: string;
  state: string;
  cost: string;
  adjustments: AdjustmentJson[];
  manifest: { states: Record<string, number> }[];
}

export interface AdjustmentJson {
  source_type: string | null;
  source_id: number | null;
  amount: string;
  included: boolean;
  eligible: boolean;
}

/** A return, and its items as the database has them: no reply lists them. */
export interface ReturnFacts {
  id: number;
  state: string;
  amount: string;
  items: { line_item_id: number; quantity: number }[];
}

export interface OrderFacts {
  order: OrderJson;
  returns: ReturnFacts[];
  /** The ids of the promotions whose codes were entered. */
  promotion_ids: number[];
}

/** Reads an order as staff sees it. */
export async function readFacts(world: World, { number }: KnownOrder): Promise<OrderFacts> {
  const staff = api(world.admin, world.app);
  const order: OrderJson = (await staff.get(`/orders/${number}`)).body;
  const promotion_ids: number[] = await world
    .db('order_promotions')
    .where({ order_id: order.id })
    .pluck('promotion_id');
  if (order.completed_at === null) return { order, returns: [], promotion_ids };
  const { body } = await staff.get(`/orders/${number}/return_authorizations?per_page=100`);
  const items = await world
    .db('return_items')
    .whereIn(
      'return_authorization_id',
      body.return_authorizations.map(({ id }: { id: number }) => id),
    )
    .select<({ return_authorization_id: number } & ReturnFacts['items'][number])[]>(
      'return_authorization_id',
      'line_item_id',
      'quantity',
    );
  const returns = body.return_authorizations.map((one: Omit<ReturnFacts, 'items'>) => ({
    ...one,
    items: items.filter((item) => item.return_authorization_id === one.id),
  }));
  return { order, returns, promotion_ids };
}

export const isDiscount = ({ source_type }: AdjustmentJson): boolean =>
  source_type === 'Store::PromotionAction';
export const isTax = ({ source_type }: AdjustmentJson): boolean => source_type === 'Store::TaxRate';
export const isManual = ({ source_type }: AdjustmentJson): boolean => source_type === null;
export const isReturnCredit = ({ source_type }: AdjustmentJson): boolean =>
  source_type === 'Store::ReturnAuthorization';

/** Adds up the eligible adjustments of one kind, in cents. */
export function addAdjustments(
  adjustments: readonly AdjustmentJson[],
  matches: (adjustment: AdjustmentJson) => boolean,
): bigint {
  return adjustments
    .filter(({ eligible }) => eligible)
    .filter(matches)
    .reduce((all, { amount }) => all + cents(amount), 0n);
}

export const calculateAmount = ({ price, quantity }: LineJson): bigint => cents(price) * BigInt(quantity);
