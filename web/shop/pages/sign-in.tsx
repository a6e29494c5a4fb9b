import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { unwrap } from 'store-api-client';
import { Link, useLocation } from 'wouter-preact';
import { textIn } from '../../shared/form';
import { NO_MESSAGES, readMessages } from '../../shared/messages';
import { PasswordField } from '../../shared/password-field';
import { useHead } from '../head';
import { CodeField, isCodeNeeded } from '../parts/code-field';
import { Field } from '../../shared/field';
import { keptCart, keptSignIn, useShop } from '../shop';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';

/** Signs a customer in or up. The cart of the guest is merged into the cart of the account. */
export function SignIn() {
  const { store } = useShop();
  const client = useQueryClient();
  const [, go] = useLocation();
  const [isNew, setNew] = useState(false);
  // Null until it is needed.
  const [otp, setOtp] = useState<string | null>(null);
  useHead({ title: isNew ? 'Create an account' : 'Sign in', canonical: null });
  const signIn = useOnce({
    // What the fields contain: password managers fill them in without an event.
    mutationFn: async (filled: FormData) => {
      const person = { email: textIn(filled, 'email').trim(), password: textIn(filled, 'password') };
      const cart = keptCart.get();
      const order = cart?.token == null ? {} : { order_number: cart.number, order_token: cart.token };
      const session = isNew
        ? await unwrap(store.POST('/api/v1/users', { body: { user: person, ...order } }))
        : await unwrap(
            store.POST('/api/v1/sessions', {
              body: { ...person, ...order, ...(otp !== null && { otp: otp.trim() }) },
            }),
          );
      const { token, order_number, order_token } = session;
      client.clear();
      keptSignIn.set({ token });
      if (order_number != null) keptCart.set({ number: order_number, token: order_token ?? null });
      else if (cart === null) {
        const { data } = await store.GET('/api/v1/orders/current');
        if (data != null) keptCart.set({ number: data.number, token: data.token ?? null });
      }
    },
    onError: (error) => isCodeNeeded(error) && setOtp(otp ?? ''),
    onSuccess: () => go(keptCart.get() === null ? '/account' : '/cart'),
  });
  const { fields, summary } = signIn.isError ? readMessages(signIn.error) : NO_MESSAGES;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (signIn.error === null) return;
    const wanted = isCodeNeeded(signIn.error) ? 'otp' : fields['email'] === undefined ? 'password' : 'email';
    form.current?.querySelector<HTMLInputElement>(`[name=${wanted}]`)?.select();
  }, [signIn.error]);
  return (
    <div class="page narrow">
      <h1>{isNew ? 'Create an account' : 'Sign in'}</h1>
      <form
        class="step"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate(new FormData(event.currentTarget));
        }}
      >
        <Field
          label="E-mail"
          name="email"
          type="email"
          required
          autocomplete="email"
          error={fields['email']}
          // Another account may have no code.
          onText={() => setOtp(null)}
        />
        <PasswordField label="Password" name="password" isNew={isNew} error={fields['password']} />
        {otp !== null && <CodeField value={otp} onText={setOtp} />}
        <ErrorNotice error={signIn.error} text={summary} />
        <button class="button wide" disabled={signIn.isPending}>
          {isNew ? 'Create the account' : 'Sign in'}
        </button>
      </form>
      <p class="alternatives">
        <button
          type="button"
          class="link"
          onClick={() => {
            setNew(!isNew);
            setOtp(null);
            signIn.reset();
          }}
        >
          {isNew ? 'I have an account' : 'Create an account'}
        </button>
        {!isNew && <Link href="/password">Forgot the password?</Link>}
      </p>
    </div>
  );
}
