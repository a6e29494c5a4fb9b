import { sumOf, toDecimal, ZERO, type Amount } from '../../platform/money';
import type { Movement, Period } from './gateways/gateway';

/** A payment that movements name. */
export interface NamedPayment {
  number: string;
  /** The number of the payment that was charged first: a partial capture leaves a rest with a number of its own. */
  root: string;
  state: string;
}

/** What the store and a provider say differently about a payment. */
export interface Difference {
  /** In UTC. */
  day: string;
  kind: Movement['kind'];
  /**
   * - `missing_here`: the store has no such payment.
   * - `missing_there`: the provider has moved nothing.
   * - `other_amount`: both have moved money.
   * - `other_state`: only the provider has; the payment has the state `state`.
   */
  problem: 'missing_here' | 'missing_there' | 'other_amount' | 'other_state';
  /** Null if the provider does not name it. */
  payment_number: string | null;
  /** The ids of the provider. */
  references: string[];
  currency: string;
  /** Decimal strings; null if nothing was moved. */
  here: string | null;
  there: string | null;
  state: string | null;
}

interface Sides {
  ours: Movement[];
  theirs: Movement[];
}

/** How much clocks of the store and of a provider may differ, in milliseconds. */
export const MARGIN_MS = 24 * 3_600_000;

/**
 * Compares what the store and a provider have moved for each payment, by kind. Both lists have a margin around the period, so that
 * what one of them dates on the next day is no difference.
 */
export function compareMovements(
  { ours, theirs: listed }: Sides,
  known: readonly NamedPayment[],
  period: Period,
): Difference[] {
  const payments = new Map(known.map((one) => [one.number, one]));
  const names = new Map(ours.map(({ reference, payment_number }) => [reference, payment_number]));
  const theirs = withoutFailed(listed, names);
  const groups = new Map<string, Sides>();
  const add = (side: keyof Sides, movement: Movement): void => {
    const { kind, currency, reference } = movement;
    // A refund that was made at the provider names no payment.
    const number = movement.payment_number ?? names.get(reference) ?? null;
    const name = number === null ? `reference ${reference}` : (payments.get(number)?.root ?? number);
    const key = [name, kind, currency].join(' ');
    const group = groups.get(key) ?? { ours: [], theirs: [] };
    group[side].push(movement);
    groups.set(key, group);
  };
  for (const movement of ours) add('ours', movement);
  for (const movement of theirs) add('theirs', movement);
  return [...groups.values()]
    .flatMap((group) => findDifference(group, payments, period) ?? [])
    .sort((one, other) => one.day.localeCompare(other.day));
}

/** Leaves out refunds that failed before they were approved: the store has recorded neither the refund nor its failure. */
function withoutFailed(theirs: readonly Movement[], known: ReadonlyMap<string, unknown>): Movement[] {
  const listReferences = (wanted: Movement['kind']) =>
    new Set(theirs.filter(({ kind }) => kind === wanted).map(({ reference }) => reference));
  const [refunds, failures] = [listReferences('refund'), listReferences('failed_refund')];
  return theirs.filter(
    ({ reference }) => known.has(reference) || !refunds.has(reference) || !failures.has(reference),
  );
}

function findDifference(
  { ours, theirs }: Sides,
  payments: ReadonlyMap<string, NamedPayment>,
  { from, to }: Period,
): Difference | null {
  const inPeriod = [...ours, ...theirs].find(({ moved_at }) => moved_at >= from && moved_at < to);
  if (inPeriod === undefined) return null;
  const [here, there] = [addUp(ours), addUp(theirs)];
  if (here === there) return null;
  const { kind, currency, moved_at, payment_number } = inPeriod;
  const payment = payment_number === null ? undefined : payments.get(payment_number);
  const isOnlyThere = payment === undefined ? 'missing_here' : 'other_state';
  return {
    day: moved_at.toISOString().slice(0, 10),
    kind,
    currency,
    problem: here === ZERO ? isOnlyThere : there === ZERO ? 'missing_there' : 'other_amount',
    payment_number: payment?.root ?? payment_number,
    references: theirs.map(({ reference }) => reference),
    here: here === ZERO ? null : toDecimal(here),
    there: there === ZERO ? null : toDecimal(there),
    state: payment?.state ?? null,
  };
}

const addUp = (movements: readonly Movement[]): Amount => sumOf(movements, ({ amount }) => amount);
