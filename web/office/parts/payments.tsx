import { useState } from 'preact/hooks';
import { unwrap, type Order } from 'store-api-client';
import { Field } from '../../shared/field';
import { store } from '../office';
import { dateOf, inWords } from '../words';
import { Act } from './act';

type Payment = Order['payments'][number];

/** The payments of an order, with their refunds: capture, void and refund. */
export function Payments({ order }: { order: Order }) {
  return (
    <section class="box">
      <h2>Payments</h2>
      {order.payments.length === 0 && <p class="quiet">None</p>}
      {order.payments.map((payment) => (
        <article key={payment.id} class="parcel">
          <div class="title">
            <h3>
              {payment.display_amount} by {payment.payment_method.name}
            </h3>
            <span class="mark">{payment.state === 'pending' ? 'Authorized' : inWords(payment.state)}</span>
          </div>
          <p class="quiet">
            {payment.number}, {dateOf(payment.created_at)}
            {payment.source != null && `, card ending in ${payment.source.last_digits}`}
          </p>
          <ul>
            {payment.refunds.map(({ id, amount, reason, created_at }) => (
              <li key={id}>
                Refunded {amount} {order.currency}, {dateOf(created_at)}
                {reason !== null && `: ${reason}`}
              </li>
            ))}
          </ul>
          {/* With the amounts of its fields reset after each refund. */}
          <PaymentActions
            key={`${payment.state}-${payment.credit_allowed}`}
            order={order}
            payment={payment}
          />
        </article>
      ))}
    </section>
  );
}

function PaymentActions({ order: { number, currency }, payment }: { order: Order; payment: Payment }) {
  const { id, state, amount, display_amount, credit_allowed } = payment;
  const path = { number, id };
  const [captured, setCaptured] = useState(amount);
  const [refunded, setRefunded] = useState(credit_allowed);
  const [reason, setReason] = useState('');
  return (
    <div class="actions">
      {(state === 'pending' || state === 'checkout') && (
        <>
          <Act
            name="Capture"
            isQuiet={false}
            question={`Up to ${display_amount} is charged to the buyer. The rest is released.`}
            confirm={`Capture ${captured} ${currency}`}
            act={(key) =>
              unwrap(
                store.PUT('/api/v1/orders/{number}/payments/{id}/capture', {
                  params: { path, query: { amount: captured } },
                  headers: { 'Idempotency-Key': key },
                }),
              )
            }
          >
            <Field
              label={`Amount in ${currency}`}
              inputMode="decimal"
              value={captured}
              onText={setCaptured}
            />
          </Act>
          <Act
            name="Void"
            question={`The authorization of ${display_amount} is voided. Nothing is charged to the buyer.`}
            confirm="Void the payment"
            act={(key) =>
              unwrap(
                store.PUT('/api/v1/orders/{number}/payments/{id}/void', {
                  params: { path },
                  headers: { 'Idempotency-Key': key },
                }),
              )
            }
          />
        </>
      )}
      {state === 'completed' && Number(credit_allowed) > 0 && (
        <Act
          name="Refund"
          question={`Of ${display_amount}, ${credit_allowed} ${currency} can be refunded to the buyer.`}
          confirm={`Refund ${refunded} ${currency}`}
          act={(key) =>
            unwrap(
              store.PUT('/api/v1/orders/{number}/payments/{id}/credit', {
                params: {
                  path,
                  query: { amount: refunded, ...(reason.trim() !== '' && { reason: reason.trim() }) },
                },
                headers: { 'Idempotency-Key': key },
              }),
            )
          }
        >
          <Field
            label={`Amount in ${currency}`}
            inputMode="decimal"
            required
            value={refunded}
            onText={setRefunded}
          />
          <Field label="Reason (optional)" value={reason} maxLength={255} onText={setReason} />
        </Act>
      )}
    </div>
  );
}
