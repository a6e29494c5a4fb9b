import {
  addUp,
  calculateOffer,
  calculateTax,
  cents,
  findBest,
  followAmount,
  least,
  most,
  shareUpTo,
  takeShare,
  type Offer,
  type SoldDiscount,
  type TaxTerms,
} from './charges';
import {
  addAdjustments,
  calculateAmount,
  isDiscount,
  isManual,
  isTax,
  type LineJson,
  type OrderFacts,
  type OrderJson,
  type ReturnFacts,
  type ShipmentJson,
} from './order-facts';

/** What the model knows of the shop. */
export interface ShopTerms {
  /** The taxes that a new line item of a variant may have: one for each rate that was ever in force. */
  taxesOf(variantId: number): readonly TaxTerms[];
  offersOf(promotionIds: readonly number[]): readonly Offer[];
  /** The country that pays taxes. */
  taxed_country_id: number;
}

interface LineMemory {
  /** Null: added after completion, or not seen at completion. */
  sold: SoldDiscount[] | null;
  /** The taxes that explain what was charged so far; null is none. */
  taxes: readonly (TaxTerms | null)[];
  returned: { units: number; given: bigint; included: bigint; additional: bigint; total: bigint };
}

interface OrderMemory {
  isSold: boolean;
  isImported: boolean;
  /** It was completed at the same time as another action, so what it was sold for is not known. */
  isUncertain: boolean;
  /** Whether its address was ever outside of the taxed country. */
  wasAbroad: boolean;
  lines: Map<number, LineMemory>;
  /** By id of the shipment, since the sale: what it was charged when it was last seen. */
  freights: Map<number, Freight>;
  /** What shipments cost that have lost their last unit, until another shipment takes it over. */
  released: Freight;
  returns: Set<number>;
  returnedTaxes: { included: bigint; additional: bigint };
}

/** What a shipment costs, and what promotions take off it. Its discounts are of its whole cost. */
interface Freight {
  cost: bigint;
  off: bigint;
}

const NO_FREIGHT: Freight = { cost: 0n, off: 0n };

const addFreights = (one: Freight, other: Freight): Freight => ({
  cost: one.cost + other.cost,
  off: one.off + other.off,
});

const TAXED_STATES = ['payment', 'confirm'];

/**
 * The model of what orders are charged. It takes quantities, prices, costs and manual adjustments from the replies and
 * calculates discounts, taxes, credits of returns and totals itself. It remembers what each order was sold for.
 */
export class Ledger {
  readonly #orders = new Map<number, OrderMemory>();
  /** By id of the return: the amount that staff gave it. */
  readonly givenAmounts = new Map<number, bigint>();

  constructor(private readonly terms: ShopTerms) {}

  /** Notes an imported order, whose charges are not calculated. */
  noteImport(orderId: number): void {
    this.#recall(orderId).isImported = true;
  }

  /**
   * Compares an order with the model. `isAlone`: whether a single action was performed since the last time.
   * @returns descriptions of the differences
   */
  check(facts: OrderFacts, isAlone: boolean): string[] {
    const { order } = facts;
    const memory = this.#recall(order.id);
    if (order.ship_address !== null && order.ship_address.country_id !== this.terms.taxed_country_id) {
      memory.wasAbroad = true;
    }
    const problems = [
      ...this.#checkDiscounts(facts, memory, isAlone),
      ...this.#checkShipmentDiscounts(facts, memory, isAlone),
      ...order.line_items.flatMap((line) => this.#checkTaxes(order, line, memory)),
      ...facts.returns.flatMap((one) => this.#checkReturn(facts, one, memory, isAlone)),
      ...checkTotals(order, memory.returnedTaxes),
    ];
    memory.isSold ||= order.completed_at !== null;
    return problems.map((problem) => `order ${order.number} (${order.state}): ${problem}`);
  }

  #recall(orderId: number): OrderMemory {
    const memory = this.#orders.get(orderId) ?? {
      isSold: false,
      isImported: false,
      isUncertain: false,
      wasAbroad: false,
      lines: new Map(),
      freights: new Map(),
      released: NO_FREIGHT,
      returns: new Set(),
      returnedTaxes: { included: 0n, additional: 0n },
    };
    this.#orders.set(orderId, memory);
    return memory;
  }

  #checkDiscounts(facts: OrderFacts, memory: OrderMemory, isAlone: boolean): string[] {
    const { order, promotion_ids } = facts;
    if (memory.isSold || memory.isImported) return checkKeptDiscounts(order, memory);
    const entered = this.terms.offersOf(promotion_ids);
    // A limited code that another order has used up may still be entered here, without effect.
    const counted = entered.filter(
      ({ action_id, isScarce }) =>
        !isScarce ||
        order.line_items.some(({ adjustments }) =>
          adjustments.some((one) => isDiscount(one) && one.eligible && one.source_id === action_id),
        ),
    );
    const problems = checkOffers(order, counted);
    if (order.completed_at === null) return problems;
    if (!isAlone) memory.isUncertain = true;
    for (const line of order.line_items) {
      this.#recallLine(memory, line).sold = isAlone ? closeDiscounts(order, line, counted) : null;
    }
    return isAlone ? problems : [];
  }

  #checkShipmentDiscounts({ order, promotion_ids }: OrderFacts, memory: OrderMemory, isAlone: boolean) {
    const charged = order.shipments.map(({ id, cost, adjustments }) => ({
      id,
      cost: cents(cost),
      off: -addAdjustments(adjustments, isDiscount),
    }));
    const isOffered = this.terms.offersOf(promotion_ids).some(({ type }) => type === 'free_shipping');
    const problems = memory.isSold
      ? checkSoldFreights(charged, memory, isAlone)
      : charged.flatMap(({ id, cost, off }) =>
          off === 0n || (isOffered && off === cost) ? [] : [`shipment ${id} of ${cost} has ${off} cents off`],
        );
    memory.freights = new Map(charged.map(({ id, ...freight }) => [id, freight]));
    return problems;
  }

  #checkTaxes(order: OrderJson, line: LineJson, memory: OrderMemory): string[] {
    const known = this.#recallLine(memory, line);
    const mayBeUntaxed = memory.isSold
      ? memory.wasAbroad
      : memory.wasAbroad || (order.completed_at === null && !TAXED_STATES.includes(order.state));
    const isKept = memory.isSold && known.taxes.length > 0;
    const possible = isKept
      ? known.taxes
      : memory.isImported && !memory.isSold
        ? [null]
        : [...this.terms.taxesOf(line.variant_id), ...(mayBeUntaxed ? [null] : [])];
    const discounted = calculateAmount(line) + addAdjustments(line.adjustments, isDiscount);
    const charged = (isIncluded: boolean): bigint =>
      addAdjustments(line.adjustments, (one) => isTax(one) && one.included === isIncluded);
    const matching = possible.filter((terms) =>
      [true, false].every(
        (isIncluded) =>
          charged(isIncluded) ===
          (terms !== null && terms.isIncluded === isIncluded ? calculateTax(discounted, terms) : 0n),
      ),
    );
    known.taxes = order.completed_at === null ? [] : matching;
    if (matching.length > 0) return [];
    // The same difference is reported once.
    known.taxes = possible;
    const rates = possible.map((terms) => (terms === null ? 'none' : calculateTax(discounted, terms)));
    return [
      `line item ${line.id} of ${discounted} cents has ${charged(true)} included and ${charged(false)} added tax ` +
        `instead of ${rates.join(' or ')}`,
    ];
  }

  #recallLine(memory: OrderMemory, { id }: LineJson): LineMemory {
    const line = memory.lines.get(id) ?? {
      sold: null,
      taxes: [],
      returned: { units: 0, given: 0n, included: 0n, additional: 0n, total: 0n },
    };
    memory.lines.set(id, line);
    return line;
  }

  /** Checks the credit of a return that was received since the last time. */
  #checkReturn(
    { order, returns }: OrderFacts,
    one: ReturnFacts,
    memory: OrderMemory,
    isAlone: boolean,
  ): string[] {
    if (one.state !== 'received' || memory.returns.has(one.id)) return [];
    memory.returns.add(one.id);
    const news = returns.filter(({ id, state }) => state === 'received' && !memory.returns.has(id));
    const values = one.items.map((item) => this.#valueItem(order, item, memory));
    const value = addUp(values.map(({ amount }) => amount));
    const credit = cents(one.amount);
    const given = this.givenAmounts.get(one.id);
    const before = most(0n, cents(order.total) + credit);
    const isExact = isAlone && news.length === 0 && values.every((each) => each.isExact);
    const expected = given ?? least(value, before);
    const taxOf = (name: 'included' | 'additional'): bigint => {
      const tax = addUp(values.map((each) => each[name]));
      if (credit === value) return tax;
      return value === 0n ? 0n : takeShare(tax, { above: credit, below: value });
    };
    if (isExact) {
      memory.returnedTaxes.included += taxOf('included');
      memory.returnedTaxes.additional += taxOf('additional');
    } else {
      memory.returnedTaxes = findReturnedTaxes(order);
    }
    if (credit < 0n || credit > before) return [`return ${one.id} credits ${credit} of ${before} cents`];
    return !isExact || credit === expected
      ? []
      : [`return ${one.id} credits ${credit} cents instead of ${expected}`];
  }

  /** Returns what the units of a return item are worth. Not exact if the line item changed between its returns. */
  #valueItem(order: OrderJson, item: ReturnFacts['items'][number], memory: OrderMemory) {
    const line = order.line_items.find(({ id }) => id === item.line_item_id);
    const { returned } = memory.lines.get(item.line_item_id) ?? {};
    if (line === undefined || returned === undefined) {
      return { amount: 0n, included: 0n, additional: 0n, isExact: false };
    }
    const totals = {
      given: cents(line.total),
      included: addAdjustments(line.adjustments, (one) => isTax(one) && one.included),
      additional: addAdjustments(line.adjustments, (one) => isTax(one) && !one.included),
    };
    const isExact = returned.units === 0 || returned.total === totals.given;
    const units = returned.units + item.quantity;
    const share = (name: 'given' | 'included' | 'additional'): bigint => {
      const upTo = shareUpTo(totals[name], units, line.quantity);
      const value = upTo - returned[name];
      returned[name] = upTo;
      return value;
    };
    const value = {
      amount: share('given'),
      included: share('included'),
      additional: share('additional'),
      isExact,
    };
    Object.assign(returned, { units, total: isExact ? totals.given : -1n });
    return value;
  }
}

/**
 * Compares the discounts of the shipments of a sold order with what they were. A shipment that takes over what emptied
 * ones cost takes over their discounts; where staff set another cost, a shipment is as free as it was.
 */
function checkSoldFreights(
  charged: readonly ({ id: number } & Freight)[],
  memory: OrderMemory,
  isAlone: boolean,
): string[] {
  const present = new Set(charged.map(({ id }) => id));
  const emptied = [...memory.freights]
    .filter(([id]) => !present.has(id))
    .reduce((all, [, freight]) => addFreights(all, freight), NO_FREIGHT);
  const released = addFreights(memory.released, emptied);
  let left = released;
  const problems = charged.flatMap(({ id, cost, off }) => {
    const known = memory.freights.get(id);
    const before = known ?? NO_FREIGHT;
    // New shipments take over all that is left; those that units are moved to, what the emptied one costs.
    const takeable = known === undefined ? released : emptied;
    const taken = takeable.cost > 0n && cost - before.cost === takeable.cost ? takeable : undefined;
    if (cost !== before.cost) left = NO_FREIGHT;
    const expected = taken === undefined ? followCost(before, cost) : before.off + taken.off;
    return off === expected || memory.isUncertain || !isAlone
      ? []
      : [`shipment ${id} of ${cost} has ${off} cents off instead of ${expected}`];
  });
  memory.released = left;
  return problems;
}

/** Returns the discount of a shipment whose cost staff may have changed: in proportion. */
const followCost = ({ cost, off }: Freight, now: bigint): bigint =>
  cost === now || cost === 0n ? off : takeShare(off, { above: now, below: cost });

/** Compares the discounts of an incomplete order with the best of the offers, kind by kind. */
function checkOffers(order: OrderJson, offers: readonly Offer[]): string[] {
  const ofType = (start: string): Offer[] => offers.filter(({ type }) => type.startsWith(start));
  const offBy = (line: LineJson, some: readonly Offer[]): bigint =>
    -addAdjustments(
      line.adjustments,
      (one) => isDiscount(one) && some.some(({ action_id }) => action_id === one.source_id),
    );
  const problems: string[] = [];
  for (const line of order.line_items) {
    const amount = calculateAmount(line);
    const expected = findBest(ofType('line'), amount, amount);
    const off = offBy(line, ofType('line'));
    if (off !== expected) problems.push(`line item ${line.id} has ${off} cents off instead of ${expected}`);
    const others = -addAdjustments(line.adjustments, isDiscount) - off - offBy(line, ofType('order'));
    if (others !== 0n) problems.push(`line item ${line.id} has ${others} cents off without a code`);
  }
  const lefts = order.line_items.map((line) => calculateAmount(line) - offBy(line, ofType('line')));
  const left = addUp(lefts);
  const whole = findBest(ofType('order'), addUp(order.line_items.map(calculateAmount)), left);
  const shares = order.line_items.map((line) => offBy(line, ofType('order')));
  if (addUp(shares) !== whole) problems.push(`${addUp(shares)} cents off the order instead of ${whole}`);
  shares.forEach((share, index) => {
    const own = lefts[index] ?? 0n;
    // Less than a cent from the exact share.
    const difference = left === 0n ? 0n : share * left - whole * own;
    const isNear = (difference < 0n ? -difference : difference) < most(left, 1n);
    if (!isNear || share > own) problems.push(`a share of ${share} cents of ${whole} on ${own} of ${left}`);
  });
  return problems;
}

/** Notes what a line item was sold for. */
function closeDiscounts(order: OrderJson, line: LineJson, offers: readonly Offer[]): SoldDiscount[] {
  const offOf = (one: LineJson, type: string): bigint =>
    -addAdjustments(
      one.adjustments,
      (each) =>
        isDiscount(each) &&
        offers.some(({ action_id, ...offer }) => action_id === each.source_id && offer.type.startsWith(type)),
    );
  const base = calculateAmount(line);
  const rest = base - offOf(line, 'line');
  const items = addUp(order.line_items.map(calculateAmount));
  const rests = addUp(order.line_items.map((one) => calculateAmount(one) - offOf(one, 'line')));
  return offers.flatMap((offer): SoldDiscount[] => {
    const rows = line.adjustments.filter(
      (one) => isDiscount(one) && one.eligible && one.source_id === offer.action_id,
    );
    if (rows.length === 0) return [];
    const off = -addAdjustments(rows, () => true);
    const ownShare = { above: offer.value, below: 100n };
    if (offer.type !== 'order_percent' || base === 0n || rests === 0n) {
      return [{ offer, base, off, share: ownShare }];
    }
    // A percentage of all line items takes what their own discounts leave of each, at most all of it.
    const isAll = calculateOffer(offer, items) >= rests;
    const share = isAll
      ? { above: rest, below: base }
      : { above: offer.value * items * rest, below: 100n * rests * base };
    return [{ offer, base, off, share }];
  });
}

function checkKeptDiscounts(order: OrderJson, memory: OrderMemory): string[] {
  if (memory.isUncertain) return [];
  return order.line_items.flatMap((line) => {
    const amount = calculateAmount(line);
    const sold = memory.lines.get(line.id)?.sold ?? [];
    const sorted = sold.toSorted(
      (one, other) => Number(other.offer.type.startsWith('line')) - Number(one.offer.type.startsWith('line')),
    );
    let left = amount;
    for (const discount of sorted) left -= followAmount(discount, amount, left);
    const off = -addAdjustments(line.adjustments, isDiscount);
    // The share of an order's percentage is kept with ten digits, which may round the other way.
    const tolerance = sold.length > 1 && sold.some(({ offer }) => offer.type === 'order_percent') ? 1n : 0n;
    const difference = off - (amount - left);
    return difference <= tolerance && -difference <= tolerance
      ? []
      : [
          `line item ${line.id} of ${amount} cents has ${off} off instead of ${amount - left} (sold: ${sold.length})`,
        ];
  });
}

const sumTaxes = (order: OrderJson, isIncluded: boolean): bigint =>
  addUp(
    [...order.line_items, ...order.shipments].map(({ adjustments }) =>
      addAdjustments(adjustments, (one) => isTax(one) && one.included === isIncluded),
    ),
  );

/** Reads the returned taxes from the totals, where the model cannot know them. */
function findReturnedTaxes(order: OrderJson): OrderMemory['returnedTaxes'] {
  return {
    included: sumTaxes(order, true) - cents(order.included_tax_total),
    additional: sumTaxes(order, false) - cents(order.additional_tax_total),
  };
}

function checkTotals(order: OrderJson, returned: OrderMemory['returnedTaxes']): string[] {
  const isCounted = ({ included }: { included: boolean }): boolean => !included;
  const item_total = addUp(order.line_items.map(calculateAmount));
  const ship_total = addUp(order.shipments.map(({ cost }) => cents(cost)));
  const adjustment_total = addUp(
    [order, ...order.line_items, ...order.shipments].map(({ adjustments }) =>
      addAdjustments(adjustments, isCounted),
    ),
  );
  const included_tax_total = sumTaxes(order, true) - returned.included;
  const additional_tax_total = sumTaxes(order, false) - returned.additional;
  const tax_total = included_tax_total + additional_tax_total;
  const total = item_total + ship_total + adjustment_total;
  const amounts = {
    item_total,
    ship_total,
    adjustment_total,
    included_tax_total,
    additional_tax_total,
    tax_total,
    total,
  };
  const names: (keyof typeof amounts)[] = [
    ...(['item_total', 'ship_total', 'adjustment_total', 'included_tax_total'] as const),
    ...(['additional_tax_total', 'tax_total', 'total'] as const),
  ];
  const isCanceled = order.state === 'canceled';
  const outstanding = (isCanceled ? 0n : total) - cents(order.payment_total);
  const payment_state = order.completed_at === null ? null : findPaymentState(order, outstanding);
  const shipment_state = order.completed_at === null ? null : findShipmentState(order);
  const quantity = order.line_items.reduce((all, line) => all + line.quantity, 0);
  return [
    ...names
      .filter((name) => cents(order[name]) !== amounts[name])
      .map((name) => `${name} is ${order[name]} instead of ${amounts[name]} cents`),
    ...order.line_items.flatMap(checkLineTotal),
    ...order.shipments.flatMap((shipment) => checkShipmentState(order, shipment)),
    ...(order.payment_state === payment_state
      ? []
      : [`payment_state is ${order.payment_state} instead of ${payment_state}`]),
    ...(order.shipment_state === shipment_state
      ? []
      : [`shipment_state is ${order.shipment_state} instead of ${shipment_state}`]),
    ...(order.total_quantity === quantity ? [] : [`total_quantity is ${order.total_quantity}`]),
    ...(total >= 0n ? [] : [`total is ${order.total}`]),
  ];
}

function checkLineTotal(line: LineJson): string[] {
  const expected =
    calculateAmount(line) +
    addAdjustments(line.adjustments, isDiscount) +
    addAdjustments(line.adjustments, (one) => isTax(one) && !one.included) +
    addAdjustments(line.adjustments, isManual);
  return cents(line.total) === expected
    ? []
    : [`the total of line item ${line.id} is ${line.total} instead of ${expected} cents`];
}

function findPaymentState({ state, payments, payment_total }: OrderJson, outstanding: bigint): string {
  const hasFailed = (payment: { state: string }): boolean => ['failed', 'invalid'].includes(payment.state);
  if (outstanding > 0n && payments.length > 0 && payments.every(hasFailed)) return 'failed';
  if (state === 'canceled' && cents(payment_total) === 0n) return 'void';
  if (outstanding > 0n) return 'balance_due';
  return outstanding < 0n ? 'credit_owed' : 'paid';
}

const isBackordered = ({ manifest }: ShipmentJson): boolean =>
  manifest.some(({ states }) => (states['backordered'] ?? 0) > 0);

function findShipmentState({ state, shipments }: OrderJson): string | null {
  if (state === 'canceled' && shipments.length > 0) return 'canceled';
  const states = [...new Set(shipments.map((one) => one.state).filter((one) => one !== 'canceled'))];
  if (states.length === 0) return null;
  if (shipments.some(isBackordered)) return 'backorder';
  return states.length === 1 ? (states[0] ?? null) : 'partial';
}

function checkShipmentState(order: OrderJson, shipment: ShipmentJson): string[] {
  const { id, state } = shipment;
  // Shipped is never undone, and a shipment may be canceled by itself.
  if (state === 'shipped' || (state === 'canceled' && order.state !== 'canceled')) return [];
  const isPaid = ['paid', 'credit_owed'].includes(order.payment_state ?? '');
  const isReady = order.completed_at !== null && !isBackordered(shipment) && isPaid;
  const expected = order.state === 'canceled' ? 'canceled' : isReady ? 'ready' : 'pending';
  return state === expected ? [] : [`shipment ${id} is ${state} instead of ${expected}`];
}
