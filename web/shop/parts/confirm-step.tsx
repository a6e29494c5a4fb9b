import { useState } from 'preact/hooks';
import { createKey, StoreError, unwrap } from 'store-api-client';
import { AddressLines } from '../../shared/address-lines';
import type { StepProps } from '../checkout-step';
import { findWaiting } from '../payment-state';
import { paymentName, rateName } from '../words';
import { Refusal } from './refusal';
import { WaitingPayment } from './waiting-payment';
import { useOnce } from '../../shared/use-once';

const DECLINED = 'The payment was declined. Nothing was charged.';
/** After a confirmation that failed, and after the buyer has given it up. */
const FAILED = 'The payment did not go through. Nothing was charged.';

const WAITING: ReadonlySet<string> = new Set(['payment_action_required', 'payment_pending']);

interface ConfirmStepProps extends StepProps {
  onBack: (step: 'address' | 'delivery' | 'payment') => void;
}

/** Shows what is bought, and buys it. */
export function ConfirmStep(props: ConfirmStepProps) {
  const { order, store, path, onChange, onBack, onRefused } = props;
  // One key for one decision to buy: a click sent twice buys once.
  const [key, setKey] = useState(createKey);
  const buy = useOnce({
    mutationFn: () =>
      unwrap(
        store.PUT('/api/v1/checkouts/{number}/next', {
          params: { path },
          headers: { 'Idempotency-Key': key },
        }),
      ),
    onSuccess: onChange,
    onError: async (error) => {
      // Without a reply the order may be complete; a retry with the same key returns the first result.
      if (error instanceof StoreError) setKey(createKey());
      // Before the button returns: without a valid payment there is nothing to press again.
      await onRefused(error);
    },
  });
  const waiting = findWaiting(order);
  const payment = order.payments.findLast(({ state }) => state === 'checkout' || state === 'pending');
  const shown = payment ?? waiting;
  const isPaid = payment !== undefined || Number(order.total) === 0;
  const hasFailed = !isPaid && order.payments.at(-1)?.state === 'failed';
  const code = buy.error instanceof StoreError ? buy.error.code : null;
  // A payment that waits is no error.
  const error = code !== null && WAITING.has(code) ? null : buy.error;
  return (
    <div class="step">
      <dl class="review">
        <div>
          <dt>E-mail</dt>
          <dd>
            <span>{order.email}</span>
            <button type="button" class="link" disabled={buy.isPending} onClick={() => onBack('address')}>
              Change<span class="visually-hidden"> the e-mail</span>
            </button>
          </dd>
        </div>
        <div>
          <dt>Ship to</dt>
          <dd>
            {order.ship_address != null && <AddressLines address={order.ship_address} />}
            <button type="button" class="link" disabled={buy.isPending} onClick={() => onBack('address')}>
              Change<span class="visually-hidden"> the address</span>
            </button>
          </dd>
        </div>
        <div>
          <dt>Delivery</dt>
          <dd>
            {(order.shipments ?? []).map(({ id, selected_shipping_rate: rate }) => (
              <span key={id}>{rate && rateName(rate.name, order.currency)}</span>
            ))}
            <button type="button" class="link" disabled={buy.isPending} onClick={() => onBack('delivery')}>
              Change<span class="visually-hidden"> the delivery</span>
            </button>
          </dd>
        </div>
        <div>
          <dt>Payment</dt>
          <dd>
            <span>{shown === undefined ? 'None' : paymentName(shown)}</span>
            <button type="button" class="link" disabled={buy.isPending} onClick={() => onBack('payment')}>
              Change<span class="visually-hidden"> the payment</span>
            </button>
          </dd>
        </div>
      </dl>
      {waiting !== undefined && <WaitingPayment {...props} payment={waiting} />}
      {waiting === undefined && (
        <Refusal error={error} order={order} text={code === 'payment_declined' ? DECLINED : null} />
      )}
      {hasFailed && waiting === undefined && error === null && (
        <p class="notice notice-bad" role="alert">
          {FAILED}
        </p>
      )}
      {!isPaid && waiting === undefined && (
        <button type="button" class="button wide" onClick={() => onBack('payment')}>
          Pay in another way
        </button>
      )}
      {isPaid && (
        <button type="button" class="button wide" disabled={buy.isPending} onClick={() => buy.mutate()}>
          {buy.isPending ? 'Buying…' : `Buy now for ${order.display_total}`}
        </button>
      )}
    </div>
  );
}
