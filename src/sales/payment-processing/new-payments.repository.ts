import { queryPrepared } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { generatePaymentNumber } from '../order/numbers';
import type { CreditCardRow, PaymentGraph, PaymentRow } from '../order/order-graph';
import { NEW_PAYMENT_COLUMNS } from '../order/order-graph-sql';
import type { LockedOrder } from '../order/order-lock';
import { buildInitialStatesSql, type Cause } from '../order/state-changes.repository';
import { insertWithUniqueNumber } from '../order/unique-number';
import type { NewCreditCard } from './credit-cards.repository';

export type NewPayment = Pick<PaymentRow, 'payment_method_id' | 'amount' | 'amount_is_explicit'> &
  Partial<
    Pick<
      PaymentRow,
      'response_code' | 'avs_response' | 'cvv_response_code' | 'authorized_amount' | 'authorized_payment_id'
    >
  > & {
    /** Defaults to `checkout`; `pending` for the rest of a partly captured authorization. */
    state?: 'pending';
  };

/** The source of a payment: none (null), a stored card, or a card to store with the payment. */
export type NewPaymentSource =
  { credit_card_id: number | null; new_card?: undefined } | { new_card: NewCreditCard };

const CARD_COLUMNS = `user_id, payment_method_id, month, year, cc_type, last_digits, name, gateway_customer_profile_id,
              gateway_payment_profile_id`;

// The card gets its id first and is stored after the payment: if the number of the payment is taken, neither is stored.
// Foreign keys are checked at the end of the statement.
const INSERT_PAYMENT = {
  name: 'insert_payment',
  sql: `WITH card AS (
       SELECT nextval(pg_get_serial_sequence('credit_cards', 'id')) AS id, ${CARD_COLUMNS}
         FROM json_to_recordset(CAST(? AS json)) AS new(user_id integer, payment_method_id integer, month text,
              year text, cc_type text, last_digits text, name text, gateway_customer_profile_id text,
              gateway_payment_profile_id text)),
     made AS (
       INSERT INTO payments (number, order_id, payment_method_id, credit_card_id, amount, amount_is_explicit, state,
              response_code, avs_response, cvv_response_code, authorized_amount, authorized_payment_id)
       SELECT number, order_id, payment_method_id, coalesce((SELECT id FROM card), credit_card_id), amount,
              amount_is_explicit, coalesce(state, 'checkout'), response_code, avs_response, cvv_response_code,
              authorized_amount, authorized_payment_id
         FROM json_to_record(CAST(? AS json)) AS new(number text, order_id integer, payment_method_id integer,
              credit_card_id integer, amount numeric, amount_is_explicit boolean, state text, response_code text,
              avs_response text, cvv_response_code text, authorized_amount numeric, authorized_payment_id integer)
       ON CONFLICT (number) DO NOTHING RETURNING *),
     stored AS (INSERT INTO credit_cards (id, ${CARD_COLUMNS}) SELECT card.* FROM card CROSS JOIN made),
     noted AS (${buildInitialStatesSql('payment')})
     SELECT ${NEW_PAYMENT_COLUMNS} FROM made p JOIN payment_methods m ON m.id = p.payment_method_id`,
};

/**
 * Stores a payment with a random number, the first entry of its history and its card, if that is new. One statement,
 * which is retried with another number if that one is taken.
 */
export async function insertPayment(
  tx: Tx,
  order: LockedOrder,
  { cause, new_card, ...payment }: NewPayment & NewPaymentSource & { cause: Cause },
): Promise<PaymentGraph> {
  const cards = JSON.stringify(new_card === undefined ? [] : [new_card]);
  const stored = await insertWithUniqueNumber(async () => {
    const row = JSON.stringify({ ...payment, order_id: order.id, number: generatePaymentNumber() });
    const bindings = [cards, row, cause.user_id, cause.reason];
    const [made] = await queryPrepared<PaymentGraph>(tx, INSERT_PAYMENT, bindings);
    return made;
  });
  // The statement does not see the card that it stores.
  return new_card === undefined ? stored : { ...stored, card: buildCardRow(stored, new_card) };
}

function buildCardRow({ credit_card_id }: PaymentRow, card: NewCreditCard): CreditCardRow {
  if (credit_card_id === null) throw new Error('the payment was stored without its card');
  return { id: credit_card_id, ...card, is_default: false };
}
