import { Field } from './field';

interface PasswordFieldProps {
  label: string;
  /** Whether it is chosen now, so that browsers offer a new one. */
  isNew?: boolean;
  name?: string;
  value?: string;
  autofocus?: boolean;
  error?: string | undefined;
  onText?: (text: string) => void;
}

/** The required field of a password. */
export const PasswordField = ({ isNew = false, ...field }: PasswordFieldProps) => (
  <Field {...field} type="password" required autocomplete={isNew ? 'new-password' : 'current-password'} />
);
