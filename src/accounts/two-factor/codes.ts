import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { toHalfWidth } from '../../platform/half-width';

/** What authenticator apps expect: SHA-1, six digits, a new code every 30 seconds (RFC 6238). */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** How many codes before and after the current one count, for clocks that differ. */
const WINDOW = 1;

const RECOVERY_CODES = 10;
/** Without letters that look like digits. */
const RECOVERY_LETTERS = '23456789abcdefghjkmnpqrstuvwxyz';
/** A code has 118 bits: too many to guess them from a hash, so it needs no slow one. */
const RECOVERY_GROUPS = 4;
const GROUP_LENGTH = 6;

/** Generates the secret of an account, in base32. */
export function generateSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the address that authenticator apps read from a QR code. */
export function buildOtpauthUrl(
  secret: string,
  { issuer, email }: { issuer: string; email: string },
): string {
  return new TOTP({ ...FORM, issuer, label: email, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * Returns the number of the 30 seconds that a code of the app belongs to; null for a wrong code. The same number must not
 * be accepted twice.
 */
export function findStep(secret: string, code: string, now: Date): number | null {
  const token = toHalfWidth(code).replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const totp = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: now.getTime() }) + delta;
}

/** Generates recovery codes, which work once each. */
export function generateRecoveryCodes(): string[] {
  const letter = (): string => RECOVERY_LETTERS.charAt(randomInt(RECOVERY_LETTERS.length));
  const group = (): string => Array.from({ length: GROUP_LENGTH }, letter).join('');
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_GROUPS }, group).join('-'),
  );
}

/** Returns a recovery code as it is compared: in any letter case, with and without its hyphens. */
export function normalizeRecoveryCode(code: string): string {
  return toHalfWidth(code).toLowerCase().replace(/[\s-]/g, '');
}
