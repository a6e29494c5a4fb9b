import type { Metadata } from '../../access/metadata';
import type { AddressGraph } from '../../geography/addresses/addresses.repository';
import { NO_REVISIONS, type ReferenceRevisions } from '../../geography/reference-revisions.repository';
import type { ActionType } from './action-types';
import type { InventoryUnitState } from './inventory-unit.machine';
import type { PaymentState } from './payment.machine';
import type { ShipmentState } from './shipment.machine';
import type { OrderVariants } from './order-variants';
import type { ShownOrder } from './orders.repository';

/**
 * What an adjustment keeps of its rate or action. The adjustments of a completed order are calculated from it
 * (pricing/kept-adjustments.ts). Decimal strings; null where they do not apply.
 */
export interface KeptTerms {
  /** Of a tax: a fraction, negative for the refund of an included tax. */
  rate: string | null;
  /** Of a tax: the sum of the rates that the price includes; 0 if the tax is added to it. */
  included_rates: string | null;
  /** Of a discount. */
  action_type: ActionType | null;
  /** Of a discount by a percentage; since completion the percentage of its line item or shipment. */
  percent: string | null;
  /**
   * Of a discount: its amount at completion, negative or zero; null before. Of an adjustment of a shipment that took over
   * the cost of another one: the sum of both.
   */
  sold_amount: string | null;
  /** What `sold_amount` belongs to: the amount of the line item or shipment; for taxes, after discounts. */
  sold_base: string | null;
}

/** What causes adjustments, besides staff. */
export const ADJUSTMENT_SOURCES = [
  'Store::TaxRate',
  'Store::PromotionAction',
  'Store::ReturnAuthorization',
] as const;

export interface AdjustmentRow extends KeptTerms {
  id: number;
  order_id: number;
  line_item_id: number | null;
  shipment_id: number | null;
  source_type: (typeof ADJUSTMENT_SOURCES)[number] | null;
  source_id: number | null;
  amount: string;
  label: string;
  mandatory: boolean;
  included: boolean;
  eligible: boolean;
  closed: boolean;
  /** A manual adjustment that is taxed as its line item or shipment is. */
  taxed: boolean;
  /** Of the credit of a return: the taxes that it refunds, not negative. Null for others. */
  included_tax: string | null;
  additional_tax: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface LineItemRow extends Metadata {
  id: number;
  order_id: number;
  variant_id: number;
  quantity: number;
  price: string;
  /** An admin set the price, for the quantity of the line item. */
  price_is_agreed: boolean;
  promo_total: string;
  adjustment_total: string;
  included_tax_total: string;
  additional_tax_total: string;
  created_at: Date;
  /** Whether the running transaction has added it to an existing order. */
  is_added: boolean;
}

export interface CreditCardRow {
  id: number;
  user_id: number | null;
  payment_method_id: number;
  month: string;
  year: string;
  cc_type: string | null;
  last_digits: string;
  name: string;
  gateway_customer_profile_id: string | null;
  gateway_payment_profile_id: string | null;
  is_default: boolean;
}

export interface PaymentRow {
  id: number;
  number: string;
  order_id: number;
  payment_method_id: number;
  credit_card_id: number | null;
  amount: string;
  amount_is_explicit: boolean;
  /** The most that can be captured, or was. Null until a gateway has approved the payment. */
  authorized_amount: string | null;
  /** For the rest of a partial capture: the payment that was authorized. */
  authorized_payment_id: number | null;
  state: PaymentState;
  response_code: string | null;
  avs_response: string | null;
  cvv_response_code: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface RefundRow {
  id: number;
  payment_id: number;
  amount: string;
  reason: string | null;
  /** The account of the actor; null if it was deleted. */
  user_id: number | null;
  /** The gateway call that made it; null for imported ones. */
  payment_operation_id: number | null;
  response_code: string | null;
  /** Text in records nested by PostgreSQL. */
  created_at: Date | string;
}

/** A payment with its refunds, oldest first. */
export interface RefundedPayment extends PaymentRow {
  refunds: readonly RefundRow[];
  /** Set while the gateway waits for the buyer or its bank with its decision; the state is `processing`. */
  waiting: { requires_action: RequiredAction | null } | null;
}

/** What the buyer must do before the gateway decides: open a page, or continue in the gateway's page script. */
export type RequiredAction = { redirect_url: string } | { client_secret: string };

/** A payment with the name of its method, its card (null for checks), its refunds and their sum. */
export interface PaymentGraph extends RefundedPayment {
  payment_method_name: string;
  method_type: 'gateway' | 'check';
  /** Whether new payments may use the method. */
  method_is_active: boolean;
  /** The setting of its method, or else of the store. */
  auto_capture: boolean;
  card: CreditCardRow | null;
  refunded: string;
  /** The state that counts in totals: the state before the gateway call while one is running, else `state`. */
  settled_state: PaymentState;
  /** How many calls of its gateway have been started. */
  call_count: number;
  /**
   * Whether its card, with which it may be charged, is stored as one of another user. Null for a payment that the
   * transaction has added, of which it was not read.
   */
  has_foreign_card: boolean | null;
}

export interface ShippingRateRow {
  id: number;
  shipment_id: number;
  shipping_method_id: number;
  shipping_method_name: string;
  shipping_method_code: string | null;
  method_is_deleted: boolean;
  cost: string;
  display_cost: string;
  selected: boolean;
}

export interface ShipmentRow {
  id: number;
  number: string;
  order_id: number;
  stock_location_id: number;
  state: ShipmentState;
  cost: string;
  /**
   * A cost that no rate changes: set by an admin, or of a shipment made after the sale. Null: the cost of the selected
   * rate.
   */
  fixed_cost: string | null;
  tracking: string | null;
  /** Where the parcel is followed; null for the address of the shipping method. */
  tracking_url: string | null;
  shipped_at: Date | null;
  /** When its last unit left, if units left one by one. */
  unit_shipped_at: Date | null;
  /** It had left before its order was imported, so its units were never unstocked. */
  is_imported: boolean;
  promo_total: string;
  adjustment_total: string;
  included_tax_total: string;
  additional_tax_total: string;
  created_at: Date;
  updated_at: Date;
}

/** The number of units of one line item in one shipment and one state. */
export interface UnitCount {
  shipment_id: number;
  line_item_id: number | null;
  variant_id: number;
  state: InventoryUnitState;
  quantity: number;
  /** How many of them changed the count of their stock item when they were sold. Meaningless in carts. */
  counted_quantity: number;
}

/** A shipment with its units, counted by line item and state, and its rates, sorted by cost. */
export interface ShipmentGraph extends ShipmentRow {
  /** Whether the running transaction has added it to an existing order. */
  is_added: boolean;
  stock_location_name: string;
  units: UnitCount[];
  rates: ShippingRateRow[];
}

/** A promotion whose code was entered on the order, or which it uses. */
export interface OrderPromotion {
  promotion_id: number;
  /** Whether the order counts as a use of it: it is being completed or complete. */
  used: boolean;
}

/** An order with its nested records. Variants and shipping methods are loaded separately. */
export interface OrderGraph extends ShownOrder {
  bill_address: AddressGraph | null;
  ship_address: AddressGraph | null;
  line_items: LineItemRow[];
  /** Adjustments of the order, its line items and its shipments. */
  adjustments: AdjustmentRow[];
  payments: PaymentGraph[];
  shipments: ShipmentGraph[];
  promotions: OrderPromotion[];
  /** False if the shop has no tax rate, so that none has to be loaded. */
  shop_has_taxes: boolean;
  /** False if the shop has no promotion that has not expired, so that none has to be loaded. */
  shop_has_promotions: boolean;
  /** Whether the store captures authorized payments when it ships (`auto_capture_on_dispatch`). */
  captures_on_dispatch: boolean;
  /** Whether the store captures payments at the checkout (`auto_capture`), unless their method decides. */
  captures_at_once: boolean;
  /** The variants of its line items, if they were read with it (order-lock.ts). */
  variants: OrderVariants;
  /** Whether the stock of `variants` is that after a completion, so that the reply of a complete order may show it. */
  has_final_stock: boolean;
  /** What the reference data of the order is read by (shipping and payment methods, taxes, countries). */
  revisions: ReferenceRevisions;
  /** When it was read, after its lock: the `updated_at` of what the transaction changes. */
  read_at: Date;
  /** The start of the transaction: the `created_at` of what it adds. */
  transaction_time: Date;
}

/**
 * Returns since when a line item or a shipment that the running transaction adds is part of an order. What is imported was
 * sold with its order, so that taxes and promotions of today do not apply to it.
 */
export function describeAddition(order: OrderGraph): Pick<LineItemRow, 'created_at' | 'is_added'> {
  const { completed_at, created_at, transaction_time } = order;
  const is_added = completed_at !== null && transaction_time > created_at;
  return { created_at: is_added ? transaction_time : (completed_at ?? transaction_time), is_added };
}

/** Builds the graph of an order without nested records: a new order, or one whose graph is loaded later. */
export function buildEmptyGraph(order: ShownOrder): OrderGraph {
  return {
    bill_address: null,
    ship_address: null,
    line_items: [],
    adjustments: [],
    payments: [],
    shipments: [],
    promotions: [],
    shop_has_taxes: true,
    shop_has_promotions: true,
    captures_on_dispatch: false,
    captures_at_once: false,
    revisions: NO_REVISIONS,
    variants: new Map(),
    has_final_stock: false,
    read_at: order.created_at,
    transaction_time: order.created_at,
    ...order,
  };
}
