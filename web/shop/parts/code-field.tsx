import { StoreError } from 'store-api-client';
import { Field } from '../../shared/field';

/** Whether an account with two-factor sign-in needs a code, or another one. */
export const isCodeNeeded = (error: unknown): boolean =>
  error instanceof StoreError &&
  (error.code === 'two_factor_required' || error.code === 'two_factor_invalid');

/** The field for the code of two-factor sign-in. */
export const CodeField = ({ value, onText }: { value: string; onText: (value: string) => void }) => (
  <Field
    label="Code of your app, or a recovery code"
    name="otp"
    required
    autocomplete="one-time-code"
    maxLength={100}
    value={value}
    onText={onText}
  />
);
