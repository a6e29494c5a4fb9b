import { useEffect, useRef, useState } from 'preact/hooks';
import { StoreError, unwrap } from 'store-api-client';
import { Field } from '../../shared/field';
import { textIn } from '../../shared/form';
import { useMe } from '../access';
import { CUSTOMER } from '../customer/roles';
import { entrance, keptSignIn, type SignIn as Session } from '../office';
import { PasswordField } from '../../shared/password-field';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';

const NO_STAFF = 'This account is one of a customer. The back office is for staff.';

const isTwoFactorRequired = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'two_factor_required';

/** The page of whoever is not signed in. */
export const SignIn = () => (
  <main class="sign-in">
    <h1>Back office</h1>
    <SignInForm email="" onSignedIn={keptSignIn.set} />
    <ForgottenPassword />
  </main>
);

/** Asks for the password above the page when the session has ended. What has been typed there stays. */
export function SignInAgain() {
  const me = useMe();
  const dialog = useRef<HTMLDialogElement>(null);
  const show = (): void => dialog.current?.showModal();
  useEffect(show, []);
  return (
    <dialog
      ref={dialog}
      class="question"
      aria-labelledby="sign-in-again"
      // Nothing else works before.
      onClose={() => keptSignIn.get()?.token === null && show()}
    >
      <div class="question-rows">
        <h2 id="sign-in-again">Sign in again</h2>
        <p>
          Your session has ended. What you have entered is still there, and continues when you have signed in.
        </p>
        <SignInForm
          email={me.data?.email ?? ''}
          onSignedIn={(session) => {
            // Closed before it is removed, so that the focus returns to where it was.
            keptSignIn.set(session);
            dialog.current?.close();
          }}
        />
        <ForgottenPassword />
        <button type="button" class="link" onClick={() => keptSignIn.set(null)}>
          Leave without saving
        </button>
      </div>
    </dialog>
  );
}

interface SignInFormProps {
  /** What the field for the e-mail contains at first. */
  email: string;
  onSignedIn: (session: Session) => void;
}

function SignInForm({ email, onSignedIn }: SignInFormProps) {
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The browser does not move the focus to a field that appears while another one has it.
    if (isCodeNeeded) form.current?.querySelector<HTMLElement>('[name=otp]')?.focus();
  }, [isCodeNeeded]);
  const signIn = useOnce({
    // What the fields contain: password managers fill them in without telling the page.
    mutationFn: async (filled: FormData) => {
      const { token, user } = await unwrap(
        entrance.POST('/api/v1/sessions', {
          body: {
            email: textIn(filled, 'email').trim(),
            password: textIn(filled, 'password'),
            ...(isCodeNeeded && { otp: textIn(filled, 'otp').trim() }),
          },
        }),
      );
      if (user.roles.some((role) => role !== CUSTOMER)) return { token, user_id: user.id };
      await entrance.DELETE('/api/v1/sessions', { headers: { 'X-Store-Token': token } });
      return null;
    },
    onSuccess: (session) => {
      if (session !== null) onSignedIn(session);
    },
    onError: (error) => {
      if (isTwoFactorRequired(error)) setCodeNeeded(true);
    },
  });
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate(new FormData(event.currentTarget));
      }}
    >
      <Field
        label="E-mail"
        type="email"
        name="email"
        defaultValue={email}
        required
        autocomplete="username"
        autofocus={email === ''}
        // Another account may have no code.
        onText={() => setCodeNeeded(false)}
      />
      <PasswordField label="Password" name="password" autofocus={email !== ''} />
      {isCodeNeeded && (
        <Field
          label="Code of your authenticator app"
          hint="Or one of your recovery codes."
          required
          autocomplete="one-time-code"
          name="otp"
        />
      )}
      <ErrorNotice error={isTwoFactorRequired(signIn.error) ? null : signIn.error} />
      {signIn.data === null && <ErrorNotice error={NO_STAFF} text={NO_STAFF} />}
      <button class="button wide" disabled={signIn.isPending}>
        Sign in
      </button>
    </form>
  );
}

/** Requests the mail with the link to a new password. */
function ForgottenPassword() {
  const [isOpen, setOpen] = useState(false);
  const send = useOnce({
    mutationFn: (email: string) => unwrap(entrance.POST('/api/v1/passwords', { body: { email } })),
  });
  if (send.isSuccess)
    return (
      <p class="notice notice-good" role="status">
        If {send.variables} has an account, we have sent it a link that sets a new password.
      </p>
    );
  if (!isOpen)
    return (
      <button type="button" class="link" onClick={() => setOpen(true)}>
        Forgot the password?
      </button>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(textIn(new FormData(event.currentTarget), 'forgotten').trim());
      }}
    >
      <Field
        label="E-mail of the account"
        type="email"
        name="forgotten"
        required
        autofocus
        autocomplete="username"
      />
      <ErrorNotice error={send.error} />
      <button class="button-quiet wide" disabled={send.isPending}>
        Send me the link
      </button>
    </form>
  );
}
