import { InvalidResource } from '../../platform/errors';

/** Compares a password with its confirmation, if both are given. @throws InvalidResource */
export function checkConfirmation({
  password,
  password_confirmation,
}: {
  password?: string | undefined;
  password_confirmation?: string | null | undefined;
}): void {
  if (password === undefined || password_confirmation == null) return;
  if (password_confirmation === password) return;
  throw new InvalidResource({ password_confirmation: ["doesn't match Password"] });
}
