import { z } from 'zod';
import { text } from '../../platform/http/fields';
import { otp } from '../two-factor/two-factor.schema';
import { confirmation, newPassword } from '../users/users.schema';

/** Longer than the e-mail address of any account. An address without an account is not an error. */
export const PasswordResetRequest = z.object({ email: text({ max: 1000 }).required });

export const PasswordResetInput = z.object({
  token: text().required.describe('The token of the mail. It is not an API token.'),
  password: newPassword.required,
  ...confirmation,
  ...otp,
});

export type PasswordResetInput = z.output<typeof PasswordResetInput>;
