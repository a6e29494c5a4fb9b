import { z } from 'zod';
import { text } from '../../platform/http/fields';
import { namedObject } from '../../platform/http/named-object';

export const TwoFactorJson = namedObject('TwoFactor', {
  enabled: z.boolean().describe('Whether signing in needs a code.'),
  required: z.boolean().describe('Whether the store requires it of this account (`require_two_factor`).'),
  recovery_codes_left: z.int().describe('How many recovery codes are not used yet.'),
});

export type TwoFactorJson = z.output<typeof TwoFactorJson>;

export const NewTwoFactorJson = namedObject('NewTwoFactor', {
  secret: z.string().describe('The key for the authenticator app, in base32. Shown only once.'),
  otpauth_url: z.string().describe('The same as an address, for a QR code.'),
  recovery_codes: z.array(z.string()).describe('Each signs in once without the app. Shown only once.'),
});

export type NewTwoFactorJson = z.output<typeof NewTwoFactorJson>;

export const TwoFactorBeginning = z.object({
  current_password: text({ max: 1000 }).optional.describe(
    'Required unless the token is that of a sign-in within the last 15 minutes, or `ADMIN_TOKEN`.',
  ),
});

export type TwoFactorBeginning = z.output<typeof TwoFactorBeginning>;

/** Longer than any code. */
const code = text({ max: 100 });

export const TwoFactorCode = z.object({
  code: code.required.describe('The code of the authenticator app.'),
});

export const TwoFactorRemoval = z.object({
  code: code.required.describe('The code of the authenticator app, or a recovery code.'),
});

/** The second factor of a sign-in. */
export const otp = {
  otp: code.optional.describe(
    'The code of the authenticator app, or a recovery code. Required if the account has two-factor sign-in.',
  ),
};
