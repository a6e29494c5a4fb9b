import { run, validate, type Step, type Steps } from '../src/platform/database/migrations/steps';

/** The conditions of constraints, by table. `[...]` is a constant: zero, or a list of words. */
const CHECKS: Record<string, Record<string, string>> = {
  orders: {
    orders_state_known:
      'state = ANY ([cart address delivery payment confirm complete canceled awaiting_return returned resumed])',
    orders_payment_state_known: 'payment_state = ANY ([failed void balance_due credit_owed paid])',
    orders_shipment_state_known: 'shipment_state = ANY ([pending ready shipped canceled backorder partial])',
    orders_completed_at_present:
      'completed_at IS NOT NULL OR state = ANY ([cart address delivery payment confirm])',
    orders_item_total_positive: `item_total >= [0] AND item_total <> 'NaN'`,
    orders_ship_total_positive: `ship_total >= [0] AND ship_total <> 'NaN'`,
    orders_payment_total_positive: `payment_total >= [0] AND payment_total <> 'NaN'`,
    orders_promo_total_negative: 'promo_total <= [0]',
  },
  state_changes: {
    state_changes_subject_type_known: 'subject_type = ANY ([order payment shipment return_authorization])',
  },
  line_items: {
    line_items_price_positive: 'price >= [0]',
    line_items_promo_total_negative: 'promo_total <= [0]',
  },
  shipments: {
    shipments_state_known: 'state = ANY ([pending ready shipped canceled])',
    shipments_cost_positive: 'cost >= [0]',
    shipments_promo_total_negative: 'promo_total <= [0]',
  },
  inventory_units: {
    inventory_units_state_known: 'state = ANY ([on_hand backordered shipped returned])',
  },
  shipping_rates: { shipping_rates_cost_positive: 'cost >= [0]' },
  payments: {
    payments_state_known: 'state = ANY ([checkout processing pending completed failed void invalid])',
    payments_amount_positive: 'amount >= [0]',
    payments_amount_within_authorization: `amount <= authorized_amount AND authorized_amount >= [0] AND authorized_amount <> 'NaN'`,
  },
  payment_operations: {
    payment_operations_kind_known: 'kind = ANY ([authorize purchase capture void credit])',
    payment_operations_purpose_known: 'purpose = ANY ([payment complete_order cancel_order])',
    payment_operations_state_before_known:
      'state_before = ANY ([checkout pending completed failed void invalid])',
    payment_operations_state_known: 'state = ANY ([started approved declined])',
    payment_operations_amount_positive: 'amount >= [0]',
  },
  stock_movements: {
    stock_movements_originator_type_known:
      'originator_type = ANY ([Store::Shipment Store::ReturnAuthorization Store::Variant Store::StockItem])',
  },
};

const quote = (word: string): string => `'${word}'`;

/** Writes a constant as one value, which PostgreSQL stores. */
const fold = (words: string[]): string =>
  words[0] === '0' ? `'0'::numeric` : `'{${words.join(',')}}'::text[]`;

/** Writes a constant as an expression, which PostgreSQL stores and evaluates each time. */
const unfold = (words: string[]): string =>
  words[0] === '0' ? '0' : `ARRAY[${words.map(quote).join(', ')}]`;

const listChecks = (
  checks: Record<string, string>,
  write: (words: string[]) => string,
): [name: string, condition: string][] =>
  Object.entries(checks).map(([name, condition]) => [
    name,
    condition.replace(/\[(.*)\]/, (_, words: string) => write(words.split(' '))),
  ]);

function replaceChecks(write: (words: string[]) => string): Step[] {
  return Object.entries(CHECKS).flatMap(([table, checks]) => {
    const changes = listChecks(checks, write).flatMap(([name, condition]) => [
      `DROP CONSTRAINT ${name}`,
      `ADD CONSTRAINT ${name} CHECK (${condition}) NOT VALID`,
    ]);
    return [
      run(`ALTER TABLE ${table} ${changes.join(', ')}`),
      ...Object.keys(checks).map((name) => validate(table, name)),
    ];
  });
}

/**
 * Stores the constants of the CHECKs of a checkout as values. The conditions stay the same. PostgreSQL reads and compiles
 * them for each statement that writes the table (docs/decisions/0027-indexes-and-plans.md).
 */
export const up: Steps = replaceChecks(fold);

export const down: Steps = replaceChecks(unfold);
