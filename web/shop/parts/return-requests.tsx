import { useMutation, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type Order } from 'store-api-client';
import { describeError } from '../../shared/messages';
import { tokenOf, useShop } from '../shop';

/** What the customer may return, if the store accepts requests; nothing otherwise. */
export function ReturnRequests({ order }: { order: Order }) {
  const shop = useShop();
  const store = shop.storeFor(tokenOf(order.number));
  const path = { number: order.number };
  const [quantities, setQuantities] = useState<Readonly<Record<number, number>>>({});
  const [reason, setReason] = useState(0);
  const [memo, setMemo] = useState('');
  const possible = useQuery({
    queryKey: ['returns', order.number],
    enabled: order.completed_at !== null,
    queryFn: async () => {
      const [form, requests] = await Promise.all([
        store.GET('/api/v1/orders/{number}/return_requests/new', { params: { path } }),
        store.GET('/api/v1/orders/{number}/return_requests', { params: { path } }),
      ]);
      return { form: form.data ?? null, requests: requests.data?.return_requests ?? [] };
    },
  });
  const request = useMutation({
    mutationFn: () =>
      unwrap(
        store.POST('/api/v1/orders/{number}/return_requests', {
          params: { path },
          body: {
            items: Object.entries(quantities)
              .filter(([, quantity]) => quantity > 0)
              .map(([id, quantity]) => ({
                line_item_id: Number(id),
                quantity,
                reason_id: reason,
              })),
            memo,
          },
        }),
      ),
    onSuccess: () => {
      setQuantities({});
      void possible.refetch();
    },
  });
  const { form, requests = [] } = possible.data ?? {};
  const items = form?.items ?? [];
  if (requests.length === 0 && items.length === 0) return null;
  const names = new Map(
    order.line_items.map(({ id, variant }) => [id, `${variant.name} ${variant.options_text}`]),
  );
  return (
    <section class="returns">
      <h2>Returns</h2>
      {requests.length > 0 && (
        <ul>
          {requests.map(({ id, number, state, decline_reason }) => (
            <li key={id}>
              {number}: {state.replaceAll('_', ' ')}
              {decline_reason !== null && `. ${decline_reason}`}
            </li>
          ))}
        </ul>
      )}
      {items.length > 0 && (
        <details>
          <summary>Return items</summary>
          <form
            class="step"
            onSubmit={(event) => {
              event.preventDefault();
              request.mutate();
            }}
          >
            {items.map(({ line_item_id: id, quantity }) => (
              <label key={id} class="option">
                <input
                  type="number"
                  min="0"
                  max={quantity}
                  value={quantities[id] ?? 0}
                  onInput={(event) =>
                    setQuantities({ ...quantities, [id]: event.currentTarget.valueAsNumber || 0 })
                  }
                />
                <span>
                  of {quantity} {names.get(id)}
                </span>
              </label>
            ))}
            <label class="field">
              Reason
              <select
                required
                value={reason === 0 ? '' : String(reason)}
                onChange={(event) => setReason(Number(event.currentTarget.value))}
              >
                <option value="">Choose…</option>
                {(form?.return_authorization_reasons ?? []).map(({ id, name }) => (
                  <option key={id} value={String(id)}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label class="field">
              Note (optional)
              <textarea
                value={memo}
                maxLength={2000}
                onInput={(event) => setMemo(event.currentTarget.value)}
              />
            </label>
            {request.isError && <p class="notice notice-bad">{describeError(request.error)}</p>}
            <button class="button" disabled={request.isPending}>
              Request the return
            </button>
          </form>
        </details>
      )}
    </section>
  );
}
