import { useRef } from 'preact/hooks';
import { StoreError, unwrap, type Order } from 'store-api-client';
import { describeError } from '../../shared/messages';
import { useMay } from '../access';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { isOn, optional, textOf, type Values } from '../parts/fields';
import { writeAmount } from '../rules/amounts';
import { moneyOf } from '../words';
import type { Payment } from './payments';

/**
 * Refunds of a captured payment. What a paid order does not owe is given back as goodwill: unless the order costs less by the same
 * amount, the buyer would owe it again.
 */
export function Refund({ order, payment }: { order: Order; payment: Payment }) {
  const { number, currency, payment_state } = order;
  const { id, display_amount, credit_allowed } = payment;
  const may = useMay();
  const isOwed = payment_state === 'credit_owed';
  const isGoodwill = payment_state === 'paid' && may('orders:write');
  const sumOf = (values: Values): string =>
    textOf(values, 'amount') === '' ? 'all that is owed' : moneyOf(textOf(values, 'amount'), currency);
  /** Why the order could not be lowered after the refund; empty if it was. */
  const refusal = useRef('');
  return (
    <Act
      name="Refund"
      scope="payments:write"
      question={`Of ${display_amount}, ${moneyOf(credit_allowed, currency)} can be refunded to the buyer.`}
      confirm={(values) => `Refund ${sumOf(values)}`}
      done={(values) =>
        refusal.current === ''
          ? `Refunded: ${sumOf(values)}.`
          : `Refunded: ${sumOf(values)}. The order costs as much as before: ${refusal.current} Add the discount yourself.`
      }
      fields={[
        {
          name: 'amount',
          label: `Amount in ${currency}${isOwed ? ' (optional)' : ''}`,
          kind: 'amount',
          isRequired: !isOwed,
          ...(isOwed && { hint: 'Empty: all that the store owes the buyer.' }),
        },
        { name: 'reason', label: 'Reason (optional)', hint: 'The buyer sees it, also on documents.' },
        {
          name: 'goodwill',
          label: 'The order costs less by this amount',
          kind: 'check',
          hint: 'The order stays paid. Otherwise the buyer owes the amount again, and no parcel leaves until it is paid.',
          isShown: () => isGoodwill,
        },
      ]}
      initial={{ amount: isOwed ? '' : writeAmount(credit_allowed, currency), goodwill: isGoodwill }}
      act={async (key, values) => {
        const amount = optional(values, 'amount');
        const reason = optional(values, 'reason');
        refusal.current = '';
        await unwrap(
          store.PUT('/api/v1/orders/{number}/payments/{id}/credit', {
            params: {
              path: { number, id },
              query: { ...(amount !== null && { amount }), ...(reason !== null && { reason }) },
            },
            headers: once(key),
          }),
        );
        if (!isOn(values, 'goodwill') || amount === null) return;
        try {
          await unwrap(
            store.POST('/api/v1/orders/{number}/adjustments', {
              params: { path: { number } },
              headers: once(`${key}-goodwill`),
              body: { adjustment: { label: reason ?? 'Goodwill', amount: `-${amount}` } },
            }),
          );
        } catch (error) {
          // Without a reply, a retry returns the first refund; after a refusal it would be a second one.
          if (!(error instanceof StoreError)) throw error;
          refusal.current = describeError(error);
        }
      }}
    />
  );
}
