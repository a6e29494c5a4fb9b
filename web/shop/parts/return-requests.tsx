import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { unwrap, type Order } from 'store-api-client';
import { describeError } from '../../shared/messages';
import { tokenOf, useShop } from '../shop';
import { describeReturn } from '../words';
import { useOnce } from '../../shared/use-once';
import { nameOf } from '../../shared/variant-name';

/** What the customer may return, if the store accepts requests; nothing otherwise. */
export function ReturnRequests({ order }: { order: Order }) {
  const shop = useShop();
  const store = shop.storeFor(tokenOf(order.number));
  const path = { number: order.number };
  const [quantities, setQuantities] = useState<Readonly<Record<number, number>>>({});
  const [reason, setReason] = useState(0);
  const [memo, setMemo] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [isEmpty, setEmpty] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<HTMLParagraphElement>(null);
  const possible = useQuery({
    queryKey: ['returns', order.number],
    enabled: order.completed_at !== null,
    queryFn: async () => {
      const [offered, requests] = await Promise.all([
        store.GET('/api/v1/orders/{number}/return_requests/new', { params: { path } }),
        store.GET('/api/v1/orders/{number}/return_requests', { params: { path } }),
      ]);
      return { offered: offered.data ?? null, requests: requests.data?.return_requests ?? [] };
    },
  });
  const request = useOnce({
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
      setReason(0);
      setMemo('');
      setOpen(false);
      void possible.refetch();
    },
  });
  useEffect(() => {
    // The form that had the focus is closed.
    if (request.isSuccess) sent.current?.focus();
  }, [request.isSuccess]);
  const send = (event: Event): void => {
    event.preventDefault();
    const hasItems = Object.values(quantities).some((quantity) => quantity > 0);
    setEmpty(!hasItems);
    if (hasItems) request.mutate();
    else form.current?.querySelector('input')?.focus();
  };
  const { offered, requests = [] } = possible.data ?? {};
  const items = offered?.items ?? [];
  if (requests.length === 0 && items.length === 0) return null;
  const names = new Map(order.line_items.map(({ id, variant }) => [id, nameOf(variant)]));
  return (
    <section class="returns">
      <h2>Returns</h2>
      {request.isSuccess && (
        <p class="notice notice-good" role="status" ref={sent} tabIndex={-1}>
          Your return request {request.data.number} was sent. This page will show the answer.
        </p>
      )}
      {requests.length > 0 && (
        <ul>
          {requests.map(({ id, number, state, decline_reason }) => (
            <li key={id}>
              {number}: {describeReturn(state)}
              {decline_reason !== null && `. ${decline_reason}`}
            </li>
          ))}
        </ul>
      )}
      {items.length > 0 && (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Return items</summary>
          <form class="step" ref={form} onSubmit={send}>
            <p class="hint">How many of each do you return?</p>
            <div>
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
            </div>
            <label class="field">
              Reason
              <select
                required
                value={reason === 0 ? '' : String(reason)}
                onChange={(event) => setReason(Number(event.currentTarget.value))}
              >
                <option value="">Choose…</option>
                {(offered?.return_authorization_reasons ?? []).map(({ id, name }) => (
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
            <div role="alert">
              {isEmpty && <p class="notice notice-bad">Enter how many items you return.</p>}
              {!isEmpty && request.isError && <p class="notice notice-bad">{describeError(request.error)}</p>}
            </div>
            <button class="button" disabled={request.isPending}>
              Request the return
            </button>
          </form>
        </details>
      )}
    </section>
  );
}
