import { InvalidResource } from '../../platform/errors';
import { roundMoney } from '../../platform/money';
import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';
import { readImportedCard, type CardInput } from './card-rules';
import { insertCreditCard } from './credit-cards.repository';
import { insertImportedPayment, type ImportedState } from './imported-payments.repository';

/** A payment of an imported order, its method found. */
export interface PaymentToImport {
  method: { id: number; method_type: 'gateway' | 'check' };
  /** A decimal string. */
  amount: string;
  state: ImportedState;
  response_code: string | null;
  /** What is known of the card; undefined for checks and for cards of which nothing is known. */
  card: CardInput | undefined;
}

/**
 * Stores payments that were made elsewhere, with their cards. Calls no gateway. Cards belong to the order's user.
 * @throws InvalidResource `payments.Credit Card`
 */
export async function importPayments(
  tx: Tx,
  order: LockedOrder,
  payments: readonly PaymentToImport[],
  cause: Cause,
): Promise<void> {
  for (const { method, amount, state, response_code, card } of payments) {
    const credit_card_id = card === undefined ? null : await storeCard(tx, order, method, card);
    const rounded = roundMoney(amount, order.currency);
    const payment = { payment_method_id: method.id, credit_card_id, amount: rounded, state, response_code };
    await insertImportedPayment(tx, order, payment, cause);
  }
}

async function storeCard(
  tx: Tx,
  { user_id }: LockedOrder,
  method: PaymentToImport['method'],
  input: CardInput,
): Promise<number | null> {
  if (method.method_type === 'check') throw new InvalidResource({ 'payments.source': ['must be blank'] });
  const read = readImportedCard(input);
  if ('errors' in read) throw new InvalidResource({ 'payments.Credit Card': read.errors });
  const { month, year, ...card } = read.card;
  return insertCreditCard(tx, {
    ...card,
    ...{ user_id, payment_method_id: method.id, month: String(month), year: String(year) },
  });
}
