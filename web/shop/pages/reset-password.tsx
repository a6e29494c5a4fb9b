import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap } from 'store-api-client';
import { useLocation, useSearch } from 'wouter-preact';
import { NO_MESSAGES, readMessages } from '../../shared/messages';
import { PasswordField } from '../../shared/password-field';
import { useHead } from '../head';
import { CodeField, isCodeNeeded } from '../parts/code-field';
import { Field } from '../../shared/field';
import { keptSignIn, useShop } from '../shop';

/** Requests the mail with the link to a new password; opened by that link, sets the password. */
export function ResetPassword() {
  const { store } = useShop();
  const [, go] = useLocation();
  const search = useSearch();
  const [token] = useState(() => new URLSearchParams(search).get('token'));
  const [text, setText] = useState('');
  // Null until it is needed.
  const [otp, setOtp] = useState<string | null>(null);
  useHead({ title: 'New password', canonical: null });
  const send = useMutation({
    mutationFn: async () => {
      if (token === null) {
        await unwrap(store.POST('/api/v1/passwords', { body: { email: text.trim() } }));
        return;
      }
      const { token: session, user } = await unwrap(
        store.PUT('/api/v1/passwords', {
          body: { token, password: text, ...(otp !== null && { otp: otp.trim() }) },
        }),
      );
      keptSignIn.set({ token: session, email: user.email });
      go('/account', { replace: true });
    },
    onError: (error) => isCodeNeeded(error) && setOtp(otp ?? ''),
  });
  const { fields, summary } = send.isError ? readMessages(send.error) : NO_MESSAGES;
  return (
    <div class="page narrow">
      <h1>New password</h1>
      {send.isSuccess && token === null ? (
        <p class="notice notice-good" role="status">
          If there is an account for {text}, we have sent it a link that sets a new password.
        </p>
      ) : (
        <form
          class="step"
          onSubmit={(event) => {
            event.preventDefault();
            send.mutate();
          }}
        >
          {token === null ? (
            <Field label="E-mail" type="email" required autocomplete="email" value={text} onText={setText} />
          ) : (
            <PasswordField
              label="New password"
              isNew
              value={text}
              error={fields['password']}
              onText={setText}
            />
          )}
          {otp !== null && <CodeField value={otp} onText={setOtp} />}
          {send.isError && (
            <p class="notice notice-bad" role="alert">
              {summary}
            </p>
          )}
          <button class="button wide" disabled={send.isPending}>
            {token === null ? 'Send me the link' : 'Set the password'}
          </button>
        </form>
      )}
    </div>
  );
}
