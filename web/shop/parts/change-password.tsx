import { useState } from 'preact/hooks';
import { unwrap } from 'store-api-client';
import { NO_MESSAGES, readMessages } from '../../shared/messages';
import { PasswordField } from '../../shared/password-field';
import { useShop } from '../shop';
import { useOnce } from '../../shared/use-once';

/** Changes the password of a customer, which ends the other sign-ins. */
export function ChangePassword({ email }: { email: string }) {
  const { store } = useShop();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useOnce({
    mutationFn: () =>
      unwrap(store.PUT('/api/v1/users/me', { body: { user: { password, current_password: current } } })),
    onSuccess: () => {
      setCurrent('');
      setPassword('');
    },
  });
  const { fields, summary } = change.isError ? readMessages(change.error) : NO_MESSAGES;
  return (
    <details class="returns">
      <summary>Change the password</summary>
      <form
        class="step own-form"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        {/* Password managers look for the account. */}
        <input type="text" name="username" autocomplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Current password"
          value={current}
          error={fields['current_password']}
          onText={setCurrent}
        />
        <PasswordField
          label="New password"
          isNew
          value={password}
          error={fields['password']}
          onText={setPassword}
        />
        <div role="status">
          {change.isSuccess && <p class="notice notice-good">The password was changed.</p>}
          {change.isError && <p class="notice notice-bad">{summary}</p>}
        </div>
        <div class="form-actions">
          <button class="button" disabled={change.isPending}>
            Change the password
          </button>
        </div>
      </form>
    </details>
  );
}
