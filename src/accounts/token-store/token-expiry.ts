/** How long a token of a sign-in or sign-up is valid without use. */
export const SESSION_MS = 30 * 24 * 3_600_000;

/** How long it is valid however often it is used. */
export const LONGEST_SESSION_MS = 90 * 24 * 3_600_000;

/** How replies describe the token of a sign-in or sign-up. */
export const SESSION_TOKEN =
  'Send it as `X-Store-Token`. It ends 30 days after its last use, 90 days after it was issued, or when it is revoked.';

/** Calculates when the token expires, for tokens of sign-ins unless they are used again; null if it does not expire. */
export function calculateExpiry(token: {
  is_session: boolean;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}): Date | null {
  if (!token.is_session) return token.expires_at;
  const unused = (token.last_used_at ?? token.created_at).getTime() + SESSION_MS;
  return new Date(Math.min(unused, token.created_at.getTime() + LONGEST_SESSION_MS));
}
