import { useQuery } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { unwrap, type Order } from 'store-api-client';
import { useMay } from '../access';
import { store } from '../office';
import { Act, amongSeveral, once } from '../parts/act';
import { textOf } from '../parts/fields';
import { writeAmount } from '../rules/amounts';
import { dateOf, inWords, moneyOf } from '../words';
import { Refund, UNDECIDED } from './refund';

export type Payment = Order['payments'][number];

/** The payments of an order, with their refunds: capture, void, refund, and adding one. */
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
            <span class="mark">{inWords(payment.state, 'payment')}</span>
          </div>
          <p class="quiet">
            {payment.number}, {dateOf(payment.created_at)}
            {payment.source?.last_digits && `, card ending in ${payment.source.last_digits}`}
          </p>
          <ul>
            {payment.refunds.map(({ id, amount, reason, created_at }) => (
              <li key={id}>
                Refunded {moneyOf(amount, order.currency)}, {dateOf(created_at)}
                {reason !== null && `: ${reason}`}
              </li>
            ))}
          </ul>
          <PaymentActions order={order} payment={payment} />
        </article>
      ))}
      {order.payment_state === 'balance_due' && <AddPayment order={order} />}
    </section>
  );
}

function PaymentActions({ order, payment }: { order: Order; payment: Payment }) {
  const { number, currency } = order;
  const { id, state, amount, display_amount, credit_allowed } = payment;
  const of = amongSeveral(order.payments, payment.number);
  const path = { number, id };
  const waits = useRef(false);
  const sum = { name: 'amount', label: `Amount in ${currency}`, kind: 'amount', isRequired: true } as const;
  return (
    <div class="actions">
      {(state === 'pending' || state === 'checkout') && (
        <>
          <Act
            name="Capture"
            of={of}
            isQuiet={false}
            scope="payments:write"
            question={`Up to ${display_amount} is charged to the buyer. The rest stays authorized until you capture or void it.`}
            confirm={(values) => `Capture ${moneyOf(textOf(values, 'amount'), currency)}`}
            done={(values) =>
              waits.current ? UNDECIDED : `${moneyOf(textOf(values, 'amount'), currency)} is captured.`
            }
            fields={[sum]}
            initial={{ amount: writeAmount(amount, currency) }}
            act={async (key, values) => {
              const { state: reached } = await unwrap(
                store.PUT('/api/v1/orders/{number}/payments/{id}/capture', {
                  params: { path, query: { amount: textOf(values, 'amount') } },
                  headers: once(key),
                }),
              );
              waits.current = reached === 'processing';
            }}
          />
          <Act
            name="Void"
            of={of}
            scope="payments:write"
            question={`The authorization of ${display_amount} is voided. Nothing is charged to the buyer.`}
            confirm="Void the payment"
            done={`The authorization of ${display_amount} is voided.`}
            act={(key) =>
              unwrap(
                store.PUT('/api/v1/orders/{number}/payments/{id}/void', {
                  params: { path },
                  headers: once(key),
                }),
              )
            }
          />
        </>
      )}
      {state === 'processing' && <Settle path={path} of={of} sum={display_amount} />}
      {state === 'completed' && Number(credit_allowed) > 0 && (
        <Refund order={order} payment={payment} of={of} />
      )}
    </div>
  );
}

const OUTCOMES = [
  { value: 'approved', name: 'The provider has approved it' },
  { value: 'declined', name: 'The provider has declined it, or does not know it' },
] as const;

interface Settled {
  path: { number: string; id: number };
  of: string | undefined;
  sum: string;
}

function Settle({ path, of, sum }: Settled) {
  return (
    <Act
      name="Settle"
      of={of}
      scope="payments:write"
      question={`The provider has not answered about ${sum}. Look the payment up there, and record what it says.`}
      confirm="Settle the payment"
      done={`The payment of ${sum} is settled.`}
      fields={[
        { name: 'outcome', label: 'Outcome', kind: 'choice', choices: OUTCOMES, isRequired: true },
        { name: 'reason', label: 'Where this was looked up', isRequired: true },
        { name: 'response_code', label: 'Its number at the provider (optional)' },
      ]}
      initial={{ outcome: 'declined' }}
      act={(key, values) =>
        unwrap(
          store.PUT('/api/v1/orders/{number}/payments/{id}/settle', {
            params: { path },
            headers: once(key),
            body: {
              outcome: textOf(values, 'outcome') === 'approved' ? 'approved' : 'declined',
              reason: textOf(values, 'reason'),
              ...(textOf(values, 'response_code') !== '' && {
                response_code: textOf(values, 'response_code'),
              }),
            },
          }),
        )
      }
    />
  );
}

/** Adds a payment that needs no card, such as a check or a transfer; cards are given in the shop. */
function AddPayment({ order: { number, currency, display_total } }: { order: Order }) {
  const may = useMay();
  const { data } = useQuery({
    queryKey: ['new-payment', number],
    queryFn: () =>
      unwrap(store.GET('/api/v1/orders/{number}/payments/new', { params: { path: { number } } })),
    enabled: may('payments:write'),
    staleTime: 60_000,
  });
  const methods = (data?.payment_methods ?? []).filter(({ method_type }) => method_type === 'check');
  if (methods.length === 0) return null;
  return (
    <div class="actions">
      <Act
        name="Record a payment"
        scope="payments:write"
        question={`The order of ${display_total} has a balance due. The payment is recorded; capture it when the money is there.`}
        confirm={(values) =>
          `Record ${textOf(values, 'amount') === '' ? 'the balance' : moneyOf(textOf(values, 'amount'), currency)}`
        }
        done="The payment is recorded."
        fields={[
          {
            name: 'payment_method_id',
            label: 'Paid by',
            kind: 'choice',
            isRequired: true,
            choices: methods.map(({ id, name }) => ({ value: String(id), name })),
          },
          {
            name: 'amount',
            label: `Amount in ${currency} (optional)`,
            kind: 'amount',
            hint: 'Empty: all that is due.',
          },
        ]}
        initial={{ payment_method_id: String(methods[0]?.id ?? '') }}
        act={(key, values) =>
          unwrap(
            store.POST('/api/v1/orders/{number}/payments', {
              params: { path: { number } },
              headers: once(key),
              body: {
                payment: {
                  payment_method_id: Number(textOf(values, 'payment_method_id')),
                  ...(textOf(values, 'amount') !== '' && { amount: textOf(values, 'amount') }),
                },
              },
            }),
          )
        }
      />
    </div>
  );
}
