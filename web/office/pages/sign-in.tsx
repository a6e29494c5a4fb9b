import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { StoreError, unwrap } from 'store-api-client';
import { Field } from '../../shared/field';
import { textIn } from '../../shared/form';
import { CUSTOMER } from '../customer/roles';
import { keptSignIn, store } from '../office';
import { PasswordField } from '../../shared/password-field';
import { describeError } from '../../shared/messages';

const NO_STAFF = 'This account is one of a customer. The back office is for staff.';

const isTwoFactorRequired = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'two_factor_required';

export function SignIn() {
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const signIn = useMutation({
    // What the fields contain: password managers fill them in without telling the page.
    mutationFn: async (filled: FormData) => {
      const { token, user } = await unwrap(
        store.POST('/api/v1/sessions', {
          body: {
            email: textIn(filled, 'email').trim(),
            password: textIn(filled, 'password'),
            ...(isCodeNeeded && { otp: textIn(filled, 'otp').trim() }),
          },
        }),
      );
      if (user.roles.some((role) => role !== CUSTOMER)) return { token, email: user.email };
      await store.DELETE('/api/v1/sessions', { headers: { 'X-Store-Token': token } });
      return null;
    },
    onSuccess: (session) => {
      if (session !== null) keptSignIn.set(session);
    },
    onError: (error) => {
      if (isTwoFactorRequired(error)) setCodeNeeded(true);
    },
  });
  return (
    <main class="sign-in">
      <h1>Back office</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate(new FormData(event.currentTarget));
        }}
      >
        <Field label="E-mail" type="email" name="email" required autocomplete="username" />
        <PasswordField label="Password" name="password" />
        {isCodeNeeded && (
          <Field
            label="Code of your authenticator app"
            hint="Or one of your recovery codes."
            required
            autocomplete="one-time-code"
            autofocus
            name="otp"
          />
        )}
        {signIn.isError && !isTwoFactorRequired(signIn.error) && (
          <p class="notice notice-bad" role="alert">
            {describeError(signIn.error)}
          </p>
        )}
        {signIn.data === null && (
          <p class="notice notice-bad" role="alert">
            {NO_STAFF}
          </p>
        )}
        <button class="button wide" disabled={signIn.isPending}>
          Sign in
        </button>
      </form>
    </main>
  );
}
