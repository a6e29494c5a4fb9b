import { useState } from 'preact/hooks';
import { unwrap } from 'store-api-client';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { Field } from '../../shared/field';
import { textIn } from '../../shared/form';
import { NO_MESSAGES, readMessages } from '../../shared/messages';
import { PasswordField } from '../../shared/password-field';
import { useHead } from '../head';
import { CodeField, isCodeNeeded } from '../parts/code-field';
import { keptSignIn, useShop } from '../shop';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';

const ENDED = 'This link has ended or was used before. Request a new one.';

/** Requests the mail with the link to a new password; opened by that link, sets the password. */
export function ResetPassword() {
  const token = new URLSearchParams(useSearch()).get('token');
  useHead({ title: 'New password', canonical: null });
  return (
    <div class="page narrow">
      <h1>New password</h1>
      {token === null ? <LinkRequest /> : <NewPassword token={token} />}
    </div>
  );
}

function LinkRequest() {
  const { store } = useShop();
  const [email, setEmail] = useState('');
  const send = useOnce({
    mutationFn: () => unwrap(store.POST('/api/v1/passwords', { body: { email: email.trim() } })),
  });
  if (send.isSuccess)
    return (
      <>
        <p class="notice notice-good" role="status">
          If there is an account for {email}, we have sent it a link that sets a new password.
        </p>
        <button type="button" class="link" onClick={() => send.reset()}>
          Use another address
        </button>
      </>
    );
  return (
    <form
      class="step"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <Field label="E-mail" type="email" required autocomplete="email" value={email} onText={setEmail} />
      <ErrorNotice error={send.error} />
      <button class="button wide" disabled={send.isPending}>
        Send me the link
      </button>
    </form>
  );
}

function NewPassword({ token }: { token: string }) {
  const { store } = useShop();
  const [, go] = useLocation();
  // Null until it is needed.
  const [otp, setOtp] = useState<string | null>(null);
  const set = useOnce({
    mutationFn: (filled: FormData) =>
      unwrap(
        store.PUT('/api/v1/passwords', {
          body: { token, password: textIn(filled, 'password'), ...(otp !== null && { otp: otp.trim() }) },
        }),
      ),
    onError: (error) => isCodeNeeded(error) && setOtp(otp ?? ''),
    onSuccess: ({ token: session }) => {
      keptSignIn.set({ token: session });
      go('/account', { replace: true });
    },
  });
  const { fields, summary } = set.isError ? readMessages(set.error) : NO_MESSAGES;
  return (
    <form
      class="step"
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate(new FormData(event.currentTarget));
      }}
    >
      <PasswordField label="New password" name="password" isNew error={fields['password']} />
      {otp !== null && <CodeField value={otp} onText={setOtp} />}
      <ErrorNotice error={set.error} text={fields['token'] === undefined ? summary : ENDED} />
      <button class="button wide" disabled={set.isPending}>
        Set the password
      </button>
      <Link href="/password">Send me a new link</Link>
    </form>
  );
}
