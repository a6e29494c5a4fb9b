import { useRef } from 'preact/hooks';
import { StoreError, unwrap, type Order } from 'store-api-client';
import { CHANGED, describeError, OwnRefusal } from '../../shared/messages';
import { useMay } from '../access';
import { store } from '../office';
import { Act, once, onceAt } from '../parts/act';
import { isOn, optional, textOf, type Values } from '../parts/fields';
import { unwrapVersioned } from '../parts/requests';
import { toUnits } from '../../shared/money';
import { writeAmount } from '../rules/amounts';
import { balanceOf } from '../rules/balance';
import { moneyOf } from '../words';
import type { Payment } from './payments';

/** What is shown after a capture or refund that waits for the provider, which may still refuse it. */
export const UNDECIDED = 'The provider has not decided yet. The payment shows the result.';

/** Returns what of the amount that the store owes the buyer this payment can give back; null if it owes nothing. */
function owedOf(order: Order, allowed: string): string | null {
  const balance = balanceOf(order);
  if (order.payment_state !== 'credit_owed' || balance === null || balance.isDue) return null;
  const [most, least] = [balance.amount, allowed].map((amount) => toUnits(amount, order.currency));
  return (most ?? 0) > (least ?? 0) ? allowed : balance.amount;
}

/**
 * Returns the version of a payment as the page shows it: what it can give back tells whether it was refunded elsewhere.
 * @throws OwnRefusal if it was, so that two tabs do not refund the same amount
 */
async function readVersion(number: string, { id, credit_allowed }: Payment): Promise<string> {
  const { record, version } = await unwrapVersioned(
    store.GET('/api/v1/orders/{number}/payments/{id}', { params: { path: { number, id } } }),
  );
  if (record.credit_allowed !== credit_allowed) throw new OwnRefusal(CHANGED);
  return version;
}

/**
 * Refunds of a captured payment. What a paid order does not owe is given back as goodwill: unless the order costs less by the same
 * amount, the buyer would owe it again.
 */
export function Refund({ order, payment, of }: { order: Order; payment: Payment; of: string | undefined }) {
  const { number, currency, payment_state } = order;
  const { id, display_amount, credit_allowed } = payment;
  const may = useMay();
  const owed = owedOf(order, credit_allowed);
  const isGoodwill = payment_state === 'paid' && may('orders:write');
  const sumOf = (values: Values): string => moneyOf(textOf(values, 'amount'), currency);
  /** Why the order could not be lowered after the refund; empty if it was. */
  const refusal = useRef('');
  const waits = useRef(false);
  return (
    <Act
      name="Refund"
      of={of}
      scope="payments:write"
      question={`${owed === null ? '' : `The store owes the buyer ${moneyOf(owed, currency)}. `}Of ${display_amount}, ${moneyOf(credit_allowed, currency)} can be refunded to the buyer.`}
      confirm={(values) => `Refund ${sumOf(values)}`}
      done={(values) => {
        const refunded = waits.current ? UNDECIDED : `Refunded: ${sumOf(values)}.`;
        if (refusal.current === '') return refunded;
        return `${refunded} The order costs as much as before: ${refusal.current} Add the discount yourself.`;
      }}
      fields={[
        { name: 'amount', label: `Amount in ${currency}`, kind: 'amount', isRequired: true },
        { name: 'reason', label: 'Reason (optional)', hint: 'The buyer sees it, also on documents.' },
        {
          name: 'goodwill',
          label: 'The order costs less by this amount',
          kind: 'check',
          hint: 'The order stays paid. Otherwise the buyer owes the amount again, and no parcel leaves until it is paid.',
          isShown: () => isGoodwill,
        },
      ]}
      initial={{ amount: writeAmount(owed ?? credit_allowed, currency), goodwill: isGoodwill }}
      act={async (key, values) => {
        const amount = textOf(values, 'amount');
        const reason = optional(values, 'reason');
        refusal.current = '';
        const version = await readVersion(number, payment);
        const { state } = await unwrap(
          store.PUT('/api/v1/orders/{number}/payments/{id}/credit', {
            params: {
              path: { number, id },
              query: { amount, ...(reason !== null && { reason }) },
            },
            headers: onceAt(key, version),
          }),
        );
        waits.current = state === 'processing';
        if (!isOn(values, 'goodwill')) return;
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
