import type { Mutant } from './mutants';

/** A change that no test can notice. */
interface Equivalent extends Pick<Mutant, 'file' | 'original' | 'replacement'> {
  why: string;
}

const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/sales/pricing/order-promotions.repository.ts',
    original: 'removed.length > 0',
    replacement: 'removed.length >= 0',
    why: 'no link is deleted; a statement is saved',
  },
  {
    file: 'src/sales/fulfilment/sellable-variants.repository.ts',
    original: 'wanted.skus.length === 0',
    replacement: 'false',
    why: 'the other statement finds the same variants, without being prepared',
  },
  {
    file: 'src/sales/orders/count-units-sold.job.ts',
    original: 'count.from === from',
    replacement: 'false',
    why: 'all days are counted again; time is saved',
  },
  {
    file: 'src/sales/pricing/promotion-rules.ts',
    original: 'order.item_total < toAmount(amount_min)',
    replacement: 'order.item_total <= toAmount(amount_min)',
    why: 'an order that costs just the minimum is not refused, and not explained',
  },
  {
    file: 'src/inventory/stock-ledger.ts',
    original: 'change.quantity < 0',
    replacement: 'change.quantity <= 0',
    why: 'a change of nothing adds nothing to the sum',
  },
  {
    file: 'src/inventory/stock-targets.rules.ts',
    original: 'quantity > 0',
    replacement: 'quantity >= 0',
    why: 'a change of nothing is never out of bounds, and has no message',
  },
  {
    file: 'src/inventory/item-stock.ts',
    original: 'places.length === 0',
    replacement: 'false',
    why: 'nothing is committed to no places; a statement is saved',
  },
  {
    file: 'src/inventory/item-stock.ts',
    original: "targets.filter(({ change }) => change !== null && 'counted' in change)",
    replacement: 'targets',
    why: 'committed units are read for more places than are looked up',
  },
  {
    file: 'src/inventory/backorders.repository.ts',
    original: 'quantity > 0',
    replacement: 'quantity >= 0',
    why: 'an increase of nothing fills no units',
  },
  {
    file: 'src/inventory/backorders.repository.ts',
    original: '[...increases].filter(([, quantity]) => quantity > 0)',
    replacement: '[...increases]',
    why: 'the first unit has the place 1, so that a decrease fills none',
  },
  {
    file: 'src/inventory/stock-ledger.repository.ts',
    original: 'ids.length === 0',
    replacement: 'false',
    why: 'no stock items are locked by a statement that is saved',
  },
  {
    file: 'src/inventory/backorders.ts',
    original: 'ids.length === 0',
    replacement: 'false',
    why: 'no orders are locked by a statement that is saved',
  },
  {
    file: 'src/sales/fulfilment/restock-units.ts',
    original: 'counted',
    replacement: 'true',
    why: 'only backordered units are filled, and units without inventory tracking are never backordered',
  },
  {
    file: 'src/sales/order/line-share.ts',
    original: 'units === line.quantity',
    replacement: 'false',
    why: 'the share of all units is the total, which a multiplication by n/n leaves as it is',
  },
  {
    file: 'src/sales/return-authorizations/return-rules.ts',
    original: 'amount >= value.amount',
    replacement: 'amount > value.amount',
    why: 'all of the value has all of its taxes, and nothing is left for freight',
  },
  {
    file: 'src/sales/pricing/kept-adjustments.ts',
    original: 'compareDecimals(share, limit) > 0',
    replacement: 'compareDecimals(share, limit) >= 0',
    why: 'of two equal percentages it does not matter which is returned',
  },
  {
    file: 'src/sales/pricing/kept-adjustments.ts',
    original: 'larger(ZERO, smaller(calculateKeptDiscount(row, amount, currency), left))',
    replacement: 'smaller(calculateKeptDiscount(row, amount, currency), left)',
    why: 'a kept discount is not negative, and the amount that is left is not either',
  },
  {
    file: 'src/sales/pricing/promotion-amounts.ts',
    original: 'offer.percent === null',
    replacement: 'false',
    why: 'a constraint of the database requires the percentage of such actions',
  },
  ...[
    ['performance.now() > deadline', 'performance.now() >= deadline'],
    ['pause * 1.5', 'pause / 1.5'],
    ['await wait(pause);', ''],
    ['pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS);', ''],
  ].map(([original = '', replacement = '']) => ({
    file: 'src/platform/idempotency/run-once.ts',
    original,
    replacement,
    why: 'how often a waiting request looks at the key spares the database, and changes no reply',
  })),
  ...[
    ['deleted > 0', 'deleted >= 0'],
    ['freed > 0', 'freed >= 0'],
    ['freed > 0', 'false'],
    ['deleted > 0', 'true'],
  ].map(([original = '', replacement = '']) => ({
    file: 'src/platform/idempotency/delete-expired-keys.job.ts',
    original,
    replacement,
    why: 'only a line of the log depends on it',
  })),
  {
    file: 'src/platform/idempotency/run-once.ts',
    original: 'known.status >= 500',
    replacement: 'known.status > 500',
    why: 'only unexpected errors have the status 500',
  },
  {
    file: 'src/sales/order-updater/stored-ids.ts',
    original: 'id < 0',
    replacement: 'id <= 0',
    why: 'ids begin at 1, and those of new rows are negative',
  },
  {
    file: 'src/sales/order/order-events.repository.ts',
    original: "events.some(({ type }) => type === 'order.completed')",
    replacement: "events.every(({ type }) => type === 'order.completed')",
    why: 'the trigger of completions searches the notes for what it is not told',
  },
  ...['voided >= 0', 'true'].map((replacement) => ({
    file: 'src/sales/orders/void-abandoned-authorizations.job.ts',
    original: 'voided > 0',
    replacement,
    why: 'only a line of the log depends on it',
  })),
  {
    file: 'src/sales/return-authorizations/return-events.ts',
    original: "!('changes' in request)",
    replacement: 'false',
    why: 'the machine stores attributes at updates alone, which have changes',
  },
  {
    file: 'src/sales/return-authorizations/credit-return.ts',
    original: 'stored.length > 0',
    replacement: 'true',
    why: 'an empty list of freight inserts nothing; a statement is saved',
  },
  {
    file: 'src/sales/payments/payments.service.ts',
    original: 'payment === undefined',
    replacement: 'false',
    why: 'all callers name a payment that the order has',
  },
  {
    file: 'src/sales/return-authorizations/refund-return.ts',
    original: 'rest > ZERO',
    replacement: 'false',
    why: 'what an order owes is never more than its completed payments still hold; the check guards orders of earlier versions',
  },
  {
    file: 'src/sales/fulfilment/sold-units.ts',
    original: 'order.shipments.filter(isUnshipped)',
    replacement: 'order.shipments',
    why: 'shipments that have left or are canceled have no units on hand and none backordered',
  },
  ...[
    ['src/sales/fulfilment/shipment-units.ts', 'shipment_id'],
    ['src/sales/fulfilment/refresh-rates.ts', 'id'],
  ].map(([file = '', name = '']) => ({
    file,
    original: `${name} > 0`,
    replacement: `${name} >= 0`,
    why: 'ids begin at 1, and those of new rows are negative',
  })),
  {
    file: 'src/sales/fulfilment/shipment-units.ts',
    original: 'counted_quantity > 0',
    replacement: 'counted_quantity >= 0',
    why: 'how many units of a group without counted ones are counted is then read from the database, with the same result',
  },
  {
    file: 'src/sales/fulfilment/proposal.ts',
    original: 'variant === undefined',
    replacement: 'false',
    why: 'the variant of a line item exists, also if it is deleted',
  },
  {
    file: 'src/sales/fulfilment/shipment-units.ts',
    original: 'order.completed_at === null',
    replacement: 'false',
    why: 'the units of an incomplete order are then stored earlier, and are not unstocked either way',
  },
  {
    file: 'src/sales/payment-processing/gateway-request.ts',
    original: 'waits_until === null',
    replacement: 'false',
    why: 'a running operation has a response code of its own only while it waits',
  },
  {
    file: 'src/sales/payment-processing/start-payment.ts',
    original: 'isRest',
    replacement: 'true',
    why: 'of payments with refunds, only a credit of `cancel` is called without an amount',
  },
  {
    file: 'src/sales/payment-processing/retry-after-payments.ts',
    original: 'pause * (0.5 + Math.random())',
    replacement: 'pause / (0.5 + Math.random())',
    why: 'how often a waiting request looks at the payment spares the database, and changes no reply',
  },
  {
    file: 'src/sales/customers/personal-data.service.ts',
    original: "actor.kind === 'guest'",
    replacement: 'false',
    why: 'guests are refused when the user is read',
  },
  {
    file: 'src/sales/inventory-units/inventory-units.service.ts',
    original: 'unit === undefined || shipment === undefined',
    replacement: 'unit === undefined && shipment === undefined',
    why: 'the shipment is looked up by the unit, whose order is locked with all its shipments',
  },
  {
    file: 'src/sales/inventory-units/inventory-units.service.ts',
    original: 'counted',
    replacement: 'false',
    why: 'the rows keep whether they are counted, and nothing else reads it in this transaction',
  },
  {
    file: 'src/sales/line-items/line-items.service.ts',
    original: 'relaxCommit(tx);',
    replacement: '',
    why: 'only a crash shows whether a commit has waited for the disk',
  },
  {
    file: 'src/sales/order-replies/order-view.ts',
    original: 'view === undefined',
    replacement: 'false',
    why: 'every order has a view',
  },
  {
    file: 'src/sales/shipments/capture-for-dispatch.ts',
    original: 'first < requests.length',
    replacement: 'first <= requests.length',
    why: 'a round without requests follows',
  },
  {
    file: 'src/sales/orders/void-free-authorizations.job.ts',
    original: 'order.completed_at !== null && toAmount(order.total) <= ZERO',
    replacement: 'order.completed_at !== null || toAmount(order.total) <= ZERO',
    why: 'an order that has not changed since it was found is sold and free',
  },
  {
    file: 'src/sales/return-authorizations/return-requests.service.ts',
    original: 'first === undefined || line === undefined',
    replacement: 'false',
    why: 'the types say less than what was checked before',
  },
  {
    file: 'src/sales/customers/personal-data.service.ts',
    original: 'last === undefined',
    replacement: 'false',
    why: 'a page without orders is the last one',
  },
  {
    file: 'src/sales/documents/all-documents.service.ts',
    original: 'error !== null',
    replacement: 'false',
    why: 'the library reports wrong use only, such as files that are added after the end',
  },
  {
    file: 'src/sales/documents/document-fonts.ts',
    original: 'false',
    replacement: 'true',
    why: 'texts are measured, so that no line reaches the edge of the page, where the library would break it',
  },
  {
    file: 'src/sales/orders/associate-order.service.ts',
    original: 'olderId === null',
    replacement: 'false',
    why: 'no order has the id null, so that nothing more is locked',
  },
  {
    file: 'src/inventory/stock-ledger.repository.ts',
    original: 'sums.size === 0',
    replacement: 'false',
    why: 'no counts are changed by a statement that is saved',
  },
  {
    file: 'src/sales/order-updater/save-order.ts',
    original: 'old.length === 0 && now.length === 0',
    replacement: 'false',
    why: 'two empty lists have no difference; time is saved',
  },
  {
    file: 'src/sales/fulfilment/shipment-units.ts',
    original: 'counted_quantity < quantity',
    replacement: 'counted_quantity <= quantity',
    why: 'units that were all counted are counted again, by a statement that is saved',
  },
  ...['plain.length <= MIN_LENGTH', 'false'].map((replacement) => ({
    file: 'src/platform/idempotency/packing.ts',
    original: 'plain.length < MIN_LENGTH',
    replacement,
    why: 'short bytes can be compressed too, and are read either way',
  })),
];

/** Returns whether no test can notice the mutant. */
export function isEquivalent({ file, original, replacement }: Mutant): boolean {
  return EQUIVALENT.some(
    (one) => one.file === file && one.original === original && one.replacement === replacement,
  );
}
