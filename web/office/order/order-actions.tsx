import { useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { store } from '../office';
import { Act, onceAt } from '../parts/act';
import { Loaded } from '../parts/loaded';
import { moneyOf } from '../words';
import type { ShownOrder } from './order-query';

/** What can be done with an order as a whole: approve, cancel, resume, and recalculate its taxes. */
export function OrderActions({ order, version }: ShownOrder) {
  const { number, state, display_total, shipments = [], considered_risky } = order;
  const params = { path: { number } };
  const scope = 'orders:write';
  // Resumed, it is complete again.
  const isComplete = state === 'complete' || state === 'resumed';
  const hasLeft = shipments.some(({ manifest }) =>
    manifest.some(({ states }) => states['shipped'] !== undefined || states['returned'] !== undefined),
  );
  return (
    <>
      {considered_risky && (
        <Act
          name="Approve"
          isQuiet={false}
          scope={scope}
          question={`You have checked order ${number}: it is no longer marked as risky. Its payment and delivery stay as they are.`}
          confirm="Approve the order"
          done={`Order ${number} is approved.`}
          act={(key) =>
            unwrap(store.PUT('/api/v1/orders/{number}/approve', { params, headers: onceAt(key, version) }))
          }
        />
      )}
      {isComplete && <Retax order={order} version={version} />}
      {isComplete && !hasLeft && (
        <Act
          name="Cancel the order"
          scope={scope}
          question={`The order of ${display_total} is canceled: its items are restocked, authorizations are voided, and captured payments are refunded, except checks.`}
          confirm="Cancel the order"
          done={`Order ${number} is canceled.`}
          act={(key) =>
            unwrap(store.PUT('/api/v1/orders/{number}/cancel', { params, headers: onceAt(key, version) }))
          }
        />
      )}
      {state === 'canceled' && (
        <Act
          name="Resume the order"
          scope={scope}
          question={`The order of ${display_total} is resumed: its items are taken from stock again. It needs a new payment.`}
          confirm="Resume the order"
          done={`Order ${number} is resumed.`}
          act={(key) =>
            unwrap(store.PUT('/api/v1/orders/{number}/resume', { params, headers: onceAt(key, version) }))
          }
        />
      )}
    </>
  );
}

function Retax({ order: { number, currency }, version }: ShownOrder) {
  return (
    <Act
      name="Recalculate the taxes"
      scope="orders:write"
      question={`A bought order keeps its taxes, also when its address or a tax rate changes. Now those of order ${number} follow from its current addresses and the current rates:`}
      confirm="Recalculate the taxes"
      done={`The taxes of order ${number} are recalculated.`}
      act={(key) =>
        unwrap(
          store.PUT('/api/v1/orders/{number}/retax', {
            params: { path: { number } },
            headers: onceAt(key, version),
          }),
        )
      }
    >
      <RetaxPreview number={number} currency={currency} />
    </Act>
  );
}

/** What recalculating the taxes would change. */
function RetaxPreview({ number, currency }: { number: string; currency: string }) {
  const query = useQuery({
    queryKey: ['retax', number],
    queryFn: () =>
      unwrap(
        store.PUT('/api/v1/orders/{number}/retax', {
          params: { path: { number }, query: { dry_run: true } },
        }),
      ),
    // Not even for a moment that of the question before: the address or the rates may have changed.
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <Loaded query={query}>
      {(reply) =>
        'difference' in reply && (
          <ul>
            <li>
              Tax: {moneyOf(reply.before.tax_total, currency)} becomes{' '}
              {moneyOf(reply.after.tax_total, currency)}
            </li>
            <li>
              Total: {moneyOf(reply.before.total, currency)} becomes {moneyOf(reply.after.total, currency)}
            </li>
          </ul>
        )
      }
    </Loaded>
  );
}
