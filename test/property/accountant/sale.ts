import {
  calculateCost,
  follow,
  keyOf,
  spreadTax,
  Turnover,
  type Charge,
  type Cost,
  type Discount,
} from './account';
import { add, addBy, least, most, take, takeUpTo } from './figures';

interface Value {
  amount: bigint;
  /** The part of the amount that is adjustments of staff without tax. */
  untaxed: bigint;
  included: bigint;
  additional: bigint;
}

export interface SoldLine {
  id: number;
  variant_id: number;
  product_id: number;
  quantity: number;
  price: bigint;
  charge: Charge;
  discount: Discount | null;
  /** The sum of the adjustments of staff: those without tax, and the taxed ones. */
  adjusted: bigint;
  taxed: bigint;
  shipped: number;
  returned: (Value & { quantity: number })[];
}

export interface Freight {
  cost: bigint;
  charge: Charge;
  isFree: boolean;
  /** The sum of the adjustments of staff: those without tax, and the taxed ones. */
  adjusted: bigint;
  taxed: bigint;
  returned: Value[];
}

export interface BookedReturn {
  /** What was credited, by line or freight; null for what no part of the order explains. */
  parts: (Value & { charge: Charge | null; line: SoldLine | null })[];
  credit: Value;
  /** What was still left by rate, if this return took back all that the order cost. */
  remainder: Turnover;
}

export interface ReturnItem {
  line: SoldLine;
  quantity: number;
}

export interface Captured {
  id: number;
  amount: bigint;
  refunded: bigint;
}

const NOTHING: Value = { amount: 0n, untaxed: 0n, included: 0n, additional: 0n };
const addValues = (values: readonly Value[]): Value => ({
  amount: addBy(values, ({ amount }) => amount),
  untaxed: addBy(values, ({ untaxed }) => untaxed),
  included: addBy(values, ({ included }) => included),
  additional: addBy(values, ({ additional }) => additional),
});

/** An order in the books of the accountant. */
export class Sale {
  lines: SoldLine[] = [];
  freight: Freight;
  /** Adjustments of staff for the whole order. */
  adjusted = 0n;
  returns: BookedReturn[] = [];
  pending = 0n;
  captured: Captured[] = [];
  isCanceled = false;
  isShipped = false;
  /** Refunded although nothing had been taken back, as credit notes say. */
  refunded = 0n;

  constructor(
    readonly id: number,
    readonly number: string,
    freight: Freight,
  ) {
    this.freight = freight;
  }

  cost(line: SoldLine): Cost {
    const amount = line.price * BigInt(line.quantity);
    const off = line.discount === null ? 0n : follow(line.discount, amount);
    const cost = calculateCost({ amount, off, adjusted: line.adjusted, taxed: line.taxed }, line.charge);
    const isBack = addBy(line.returned, ({ quantity }) => BigInt(quantity)) === BigInt(line.quantity);
    return isBack && line.adjusted === 0n && line.taxed === 0n ? this.giveBack(line, cost) : cost;
  }

  /**
   * A line of which all that is left has come back costs what was credited for it, if that differs by no more than rounding, or by a
   * flat discount: of a line that was raised, only a part of it was credited.
   */
  private giveBack({ returned, charge, discount }: SoldLine, cost: Cost): Cost {
    const { amount: total, included, additional: credited } = addValues(returned);
    const additional = discount === null ? total - cost.amount : credited;
    const off = cost.amount + additional - total;
    const limit = BigInt(charge.rates.length + (discount === null ? 1 : 2));
    const isRounding = [off - cost.off, included - cost.included, additional - cost.additional].every(
      (difference) => difference <= limit && -difference <= limit,
    );
    const isFlat = discount !== null && discount.percent === null;
    if (!(isRounding || isFlat) || off < 0n) return cost;
    const due = charge.isIncluded ? included : additional;
    const taxes = charge.isRelieved || add(cost.taxes) === due ? cost.taxes : spreadTax(due, charge);
    return { amount: cost.amount, off, taxes, included, additional, total };
  }

  get freightCost(): Cost {
    const { cost, isFree, charge, adjusted, taxed } = this.freight;
    return calculateCost({ amount: cost, off: isFree ? cost : 0n, adjusted, taxed }, charge);
  }

  get costs(): Cost[] {
    return [...this.lines.map((line) => this.cost(line)), this.freightCost];
  }

  get credits(): Value {
    return addValues(this.returns.map(({ credit }) => credit));
  }

  get totals() {
    const { costs, credits } = this;
    const item_total = addBy(this.lines, ({ price, quantity }) => price * BigInt(quantity));
    const ship_total = this.freight.cost;
    const promo_total = -addBy(costs, ({ off }) => off);
    const included_tax_total = addBy(costs, ({ included }) => included) - credits.included;
    const additional_tax_total = addBy(costs, ({ additional }) => additional) - credits.additional;
    const adjustment_total =
      promo_total +
      addBy(costs, ({ additional }) => additional) +
      addBy([...this.lines, this.freight], ({ adjusted, taxed }) => adjusted + taxed) +
      this.adjusted -
      credits.amount;
    return {
      item_total,
      ship_total,
      adjustment_total,
      included_tax_total,
      additional_tax_total,
      tax_total: included_tax_total + additional_tax_total,
      total: item_total + ship_total + adjustment_total,
    };
  }

  get promoTotal(): bigint {
    return -addBy(this.costs, ({ off }) => off);
  }

  get units(): number {
    return this.lines.reduce((all, { quantity }) => all + quantity, 0);
  }

  get paid(): bigint {
    return addBy(this.captured, ({ amount, refunded }) => amount - refunded);
  }

  /** What the order is worth: nothing if it is canceled. */
  get value(): bigint {
    return this.isCanceled ? 0n : this.totals.total;
  }

  get paymentState(): string {
    const outstanding = this.value - this.paid;
    if (this.isCanceled && this.paid === 0n) return 'void';
    return outstanding > 0n ? 'balance_due' : outstanding < 0n ? 'credit_owed' : 'paid';
  }

  /** What the order consists of by rate, without refunds that no return covers. */
  get turnover(): Turnover {
    const turnover = new Turnover();
    if (this.isCanceled) return turnover;
    for (const line of this.lines) {
      const { total, included, additional, taxes } = this.cost(line);
      const tax = line.charge.isRelieved ? 0n : included + additional;
      turnover.book(keyOf(line.charge), total - line.adjusted - add(taxes), tax);
      turnover.book('none', line.adjusted, 0n);
    }
    const freight = this.freightCost;
    const { adjusted, charge } = this.freight;
    turnover.book(keyOf(charge), freight.total - adjusted - add(freight.taxes), add(freight.taxes));
    turnover.book('none', adjusted, 0n);
    turnover.book('none', this.adjusted, 0n);
    for (const { parts, remainder } of this.returns) {
      for (const [key, { net, tax }] of remainder.buckets) turnover.book(key, -net, -tax);
      for (const { charge, amount, untaxed, included, additional } of parts) {
        const tax = charge === null || charge.isRelieved ? 0n : included + additional;
        turnover.book(keyOf(charge), -(amount - untaxed - tax), -tax);
        turnover.book('none', -untaxed, 0n);
      }
    }
    return turnover;
  }

  /** Books what changed beside the order itself: `refund` is what a payment has just given back. */
  settleRefunds(refund: bigint): void {
    this.refunded = least(this.refunded + refund, most(this.value - this.paid, 0n));
  }

  /** The value of units that come back: their share of the line, to the cent over all returns. */
  valueOf(line: SoldLine, quantity: number): Value {
    const { total, included, additional } = this.cost(line);
    const earlier = addValues(line.returned);
    const upTo = line.returned.reduce((all, one) => all + one.quantity, 0) + quantity;
    const part = (whole: bigint, before: bigint): bigint => takeUpTo(whole, upTo, line.quantity) - before;
    const amount = most(part(total, earlier.amount), 0n);
    const taxed = part(total - line.adjusted, earlier.amount - earlier.untaxed);
    // A tax that is given back is what the units cost less than their price.
    const price = (): bigint =>
      part(total - line.adjusted - additional, earlier.amount - earlier.untaxed - earlier.additional);
    return {
      amount,
      untaxed: amount - taxed,
      included: part(included, earlier.included),
      additional: line.charge.isRelieved ? taxed - price() : part(additional, earlier.additional),
    };
  }

  /** Whether a return takes back the order as a whole: all that it costs, or its last units if it costs nothing any more. */
  isWhole(items: readonly ReturnItem[], amount: bigint): boolean {
    const { total } = this.totals;
    const left = (line: SoldLine): number =>
      line.quantity -
      [...line.returned, ...items.filter((item) => item.line === line)].reduce(
        (all, { quantity }) => all + quantity,
        0,
      );
    return amount === total && (amount > 0n || this.lines.every((line) => left(line) === 0));
  }

  /** What a return credits; `given` is the amount that staff entered. Less than its items are worth can be planned for one item only. */
  private planReturn(
    items: readonly ReturnItem[],
    given: bigint | null,
  ): Omit<BookedReturn, 'remainder'> & { freight: Value } {
    const values = items.map(({ line, quantity }) => ({ line, ...this.valueOf(line, quantity) }));
    const value = addValues(values);
    const { total, included_tax_total, additional_tax_total } = this.totals;
    const amount = given ?? least(value.amount, total);
    if (this.isWhole(items, amount)) {
      const freight = this.planFreight(amount - value.amount);
      return {
        credit: { amount, untaxed: 0n, included: included_tax_total, additional: additional_tax_total },
        freight,
        parts: [
          ...values.map((one) => ({ ...one, charge: one.line.charge })),
          { ...freight, charge: this.freight.charge, line: null },
        ],
      };
    }
    if (amount < value.amount) {
      const share = { above: amount, below: value.amount };
      const [{ line }, ...others] = items as [ReturnItem];
      if (others.length > 0) throw new Error('it is not known how less is divided');
      const credit = {
        amount,
        untaxed: amount - take(value.amount - value.untaxed, share),
        included: take(value.included, share),
        additional: take(value.additional, share),
      };
      return { credit, freight: NOTHING, parts: [{ ...credit, charge: line.charge, line }] };
    }
    const freight = this.planFreight(amount - value.amount);
    const rest = { ...NOTHING, amount: amount - value.amount - freight.amount };
    const credit = addValues([value, freight, rest]);
    const parts = [
      ...values.map((one) => ({ ...one, charge: one.line.charge })),
      { ...freight, charge: this.freight.charge, line: null },
      { ...rest, charge: null, line: null },
    ];
    return { credit, freight, parts };
  }

  private planFreight(beyond: bigint): Value {
    const { total, included, additional } = this.freightCost;
    const earlier = addValues(this.freight.returned);
    const amount = least(beyond, total - earlier.amount);
    if (amount <= 0n) return NOTHING;
    const upTo = earlier.amount + amount;
    const part = (whole: bigint, before: bigint): bigint =>
      (upTo === total ? whole : take(whole, { above: upTo, below: total })) - before;
    const taxed = part(total - this.freight.adjusted, earlier.amount - earlier.untaxed);
    return {
      amount,
      untaxed: amount - taxed,
      included: part(included, earlier.included),
      additional: part(additional, earlier.additional),
    };
  }

  bookReturn(items: readonly ReturnItem[], given: bigint | null): void {
    const { freight, ...planned } = this.planReturn(items, given);
    const isWhole = this.isWhole(items, planned.credit.amount);
    const values = items.map(({ line, quantity }) => ({ line, quantity, ...this.valueOf(line, quantity) }));
    for (const { line, ...value } of values) line.returned.push(value);
    if (freight.amount > 0n) this.freight.returned.push(freight);
    const booked = { ...planned, remainder: new Turnover() };
    this.returns.push(booked);
    if (isWhole) booked.remainder = this.turnover;
  }
}
