import type { AddressRow } from '../../geography/addresses/addresses.repository';
import type { ColumnType } from '../order/column-values';
import type {
  AdjustmentRow,
  CreditCardRow,
  LineItemRow,
  OrderGraph,
  PaymentGraph,
  RefundRow,
  ShipmentGraph,
  ShippingRateRow,
} from '../order/order-graph';

/** A record of an order. A new one has a negative id (`newId`). */
export interface OrderRecord {
  readonly id: number;
  readonly [column: string]: unknown;
}

/** A table with records of orders, as `saveOrder` writes it. */
export interface OrderTable {
  readonly name: string;
  /** The columns that a new record has. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The columns that a change may write. */
  readonly changing: readonly string[];
  /** What a record contains and other statements write: another value only sets the time of the record. */
  readonly touching: readonly string[];
  /** What all records show of their order: another value only sets their times. */
  readonly showing: (order: OrderGraph) => unknown;
  /** The columns that find a record, for the index that is read anyway. */
  readonly key: readonly string[];
  /** Whether orders show when a record has changed, so that `saveOrder` sets its `updated_at`. */
  readonly isTimed: boolean;
  /** The unique constraints of generated values, besides the primary key. */
  readonly generates: readonly string[];
  /**
   * Who else uses the records. `order`: no other record, so they are deleted when the order loses them. `others`: records may
   * exist before and after.
   */
  readonly ownedBy: 'order' | 'others';
  readonly select: (order: OrderGraph) => readonly OrderRecord[];
  /** Whether a changed record is written before the others, because a unique index checks row by row. */
  readonly isFirst: (record: OrderRecord) => boolean;
}

/** Names every column of a record; null for what another table or a calculation provides. */
type Columns<Row> = Readonly<Record<keyof Row & string, ColumnType | null>>;

interface Definition<Row> extends Partial<
  Pick<OrderTable, 'touching' | 'showing' | 'key' | 'isTimed' | 'generates' | 'ownedBy' | 'isFirst'>
> {
  columns: Columns<Row>;
  /** The columns that never change. */
  fixed: readonly (keyof Row & string)[];
  select: (order: OrderGraph) => readonly Row[];
}

function defineTable<Row extends { id: number }>(
  name: string,
  { columns, fixed, select, ...others }: Definition<Row>,
): OrderTable {
  const written = Object.entries<ColumnType | null>(columns).flatMap(([column, type]) =>
    type === null ? [] : [[column, type] as const],
  );
  const kept: readonly string[] = fixed;
  return {
    name,
    columns: Object.fromEntries(written),
    changing: written.flatMap(([column]) => (kept.includes(column) ? [] : column)),
    // Every record has columns only, which `Columns` names.
    select: select,
    touching: [],
    showing: () => null,
    key: ['id'],
    isTimed: false,
    generates: [],
    ownedBy: 'order',
    isFirst: () => false,
    ...others,
  };
}

const TOTALS = {
  promo_total: 'numeric',
  adjustment_total: 'numeric',
  included_tax_total: 'numeric',
  additional_tax_total: 'numeric',
} as const;

const addresses = defineTable<AddressRow>('addresses', {
  columns: {
    id: 'integer',
    firstname: 'text',
    lastname: 'text',
    address1: 'text',
    address2: 'text',
    city: 'text',
    zipcode: 'text',
    phone: 'text',
    company: 'text',
    alternative_phone: 'text',
    country_id: 'integer',
    state_id: 'integer',
    state_name: 'text',
  },
  fixed: ['id'],
  ownedBy: 'others',
  select: ({ bill_address, ship_address }) => {
    const both = [bill_address, ship_address].flatMap((address) => address ?? []);
    return both[0]?.id === both[1]?.id ? both.slice(0, 1) : both;
  },
});

const lineItems = defineTable<LineItemRow>('line_items', {
  columns: {
    id: 'integer',
    order_id: 'integer',
    variant_id: 'integer',
    quantity: 'integer',
    price: 'numeric',
    price_is_agreed: 'boolean',
    ...TOTALS,
    metadata: 'jsonb',
    public_metadata: 'jsonb',
    created_at: 'timestamptz',
    is_added: null,
  },
  fixed: ['id', 'order_id', 'variant_id', 'created_at'],
  select: ({ line_items }) => line_items,
});

const shipments = defineTable<ShipmentGraph>('shipments', {
  columns: {
    id: 'integer',
    number: 'text',
    order_id: 'integer',
    stock_location_id: 'integer',
    state: 'text',
    cost: 'numeric',
    fixed_cost: 'numeric',
    tracking: 'text',
    tracking_url: 'text',
    shipped_at: 'timestamptz',
    unit_shipped_at: 'timestamptz',
    is_imported: 'boolean',
    ...TOTALS,
    created_at: 'timestamptz',
    updated_at: null,
    is_added: null,
    stock_location_name: null,
    units: null,
    rates: null,
  },
  fixed: ['id', 'order_id', 'created_at'],
  touching: ['units'],
  showing: ({ ship_address }) => ship_address,
  isTimed: true,
  generates: ['shipments_number_unique'],
  select: ({ shipments: rows }) => rows,
});

const shippingRates = defineTable<ShippingRateRow>('shipping_rates', {
  columns: {
    id: 'integer',
    shipment_id: 'integer',
    shipping_method_id: 'integer',
    cost: 'numeric',
    display_cost: 'text',
    selected: 'boolean',
    shipping_method_name: null,
    shipping_method_code: null,
    method_is_deleted: null,
  },
  fixed: ['id', 'shipment_id', 'shipping_method_id'],
  key: ['shipment_id', 'id'],
  select: ({ shipments: rows }) => rows.flatMap(({ rates }) => rates),
  isFirst: ({ selected }) => selected === false,
});

const creditCards = defineTable<CreditCardRow>('credit_cards', {
  columns: {
    id: 'integer',
    user_id: 'integer',
    payment_method_id: 'integer',
    month: 'text',
    year: 'text',
    cc_type: 'text',
    last_digits: 'text',
    name: 'text',
    gateway_customer_profile_id: 'text',
    gateway_payment_profile_id: 'text',
    is_default: 'boolean',
  },
  fixed: ['id', 'user_id', 'payment_method_id', 'is_default'],
  ownedBy: 'others',
  // Several payments may have the same card.
  select: ({ payments: rows }) => [
    ...new Map(rows.flatMap(({ card }) => (card === null ? [] : [[card.id, card] as const]))).values(),
  ],
});

const payments = defineTable<PaymentGraph>('payments', {
  columns: {
    id: 'integer',
    number: 'text',
    order_id: 'integer',
    payment_method_id: 'integer',
    credit_card_id: 'integer',
    amount: 'numeric',
    amount_is_explicit: 'boolean',
    state: 'text',
    authorized_amount: 'numeric',
    authorized_payment_id: 'integer',
    response_code: 'text',
    avs_response: 'text',
    cvv_response_code: 'text',
    created_at: null,
    updated_at: null,
    payment_method_name: null,
    method_type: null,
    method_is_active: null,
    auto_capture: null,
    card: null,
    refunded: null,
    refunds: null,
    settled_state: null,
    waiting: null,
    call_count: null,
    has_foreign_card: null,
  },
  fixed: ['id', 'number', 'order_id'],
  isTimed: true,
  generates: ['payments_number_unique'],
  select: ({ payments: rows }) => rows,
});

const refunds = defineTable<RefundRow>('refunds', {
  columns: {
    id: 'integer',
    payment_id: 'integer',
    payment_operation_id: 'integer',
    amount: 'numeric',
    reason: 'text',
    user_id: 'integer',
    response_code: 'text',
    created_at: null,
  },
  fixed: ['id', 'payment_id', 'payment_operation_id', 'amount', 'reason', 'user_id', 'response_code'],
  select: ({ payments: rows }) => rows.flatMap((payment) => payment.refunds),
});

const adjustments = defineTable<AdjustmentRow>('adjustments', {
  columns: {
    id: 'integer',
    order_id: 'integer',
    line_item_id: 'integer',
    shipment_id: 'integer',
    source_type: 'text',
    source_id: 'integer',
    amount: 'numeric',
    label: 'text',
    mandatory: 'boolean',
    included: 'boolean',
    eligible: 'boolean',
    closed: 'boolean',
    taxed: 'boolean',
    rate: 'numeric',
    included_rates: 'numeric',
    action_type: 'text',
    percent: 'numeric',
    sold_amount: 'numeric',
    sold_base: 'numeric',
    included_tax: 'numeric',
    additional_tax: 'numeric',
    created_at: 'timestamptz',
    updated_at: null,
  },
  fixed: ['id', 'order_id', 'line_item_id', 'source_type', 'source_id', 'mandatory', 'created_at'],
  isTimed: true,
  select: ({ adjustments: rows }) => rows,
});

/** The tables with records of orders, in the order in which they are written: records refer to earlier ones only. */
export const ORDER_TABLES: readonly OrderTable[] = [
  addresses,
  lineItems,
  shipments,
  shippingRates,
  creditCards,
  payments,
  refunds,
  adjustments,
];
