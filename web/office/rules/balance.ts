import type { Order } from 'store-api-client';
import { sumOf, toUnits } from '../../shared/money';

export interface Balance {
  /** Whether the buyer has to pay it; else the store has to. */
  isDue: boolean;
  amount: string;
}

/** Returns what is left to pay of a bought order that is not canceled; null if that is nothing. */
export function balanceOf({
  state,
  completed_at,
  total,
  payment_total,
  currency,
}: Pick<Order, 'state' | 'completed_at' | 'total' | 'payment_total' | 'currency'>): Balance | null {
  const left = toUnits(total, currency) - toUnits(payment_total, currency);
  if (completed_at === null || state === 'canceled' || left === 0) return null;
  const [most, least] = left > 0 ? [total, payment_total] : [payment_total, total];
  return { isDue: left > 0, amount: sumOf([most, `-${least}`], currency) };
}
