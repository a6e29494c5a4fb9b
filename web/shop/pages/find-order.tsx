import { useState } from 'preact/hooks';
import { unwrap } from 'store-api-client';
import { useHead } from '../head';
import { Field } from '../../shared/field';
import { useShop } from '../shop';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';

/** Sends the link of an order to its customer. */
export function FindOrder() {
  const { store } = useShop();
  const [number, setNumber] = useState('');
  const [email, setEmail] = useState('');
  useHead({ title: 'Find an order', canonical: null });
  const find = useOnce({
    mutationFn: () =>
      unwrap(store.POST('/api/v1/orders/lookup', { body: { number: number.trim(), email: email.trim() } })),
  });
  return (
    <div class="page narrow">
      <h1>Find an order</h1>
      {find.isSuccess ? (
        <>
          <p class="notice notice-good" role="status">
            If number and address belong together, we have sent the link of the order to {email}.
          </p>
          <button type="button" class="link" onClick={() => find.reset()}>
            Find another order
          </button>
        </>
      ) : (
        <form
          class="step"
          onSubmit={(event) => {
            event.preventDefault();
            find.mutate();
          }}
        >
          <Field label="Order number" required placeholder="R123456789" value={number} onText={setNumber} />
          <Field label="E-mail" type="email" required autocomplete="email" value={email} onText={setEmail} />
          <ErrorNotice error={find.error} />
          <button class="button" disabled={find.isPending}>
            Send me the link
          </button>
        </form>
      )}
    </div>
  );
}
