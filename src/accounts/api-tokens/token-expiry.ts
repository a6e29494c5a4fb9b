/** How long the token of a sign-in or sign-up holds without being used. */
export const SESSION_MS = 30 * 24 * 3_600_000;

/** When the token ends unless it is used again; null for one that does not end by itself. */
export function expiryOf(token: {
  is_session: boolean;
  created_at: Date;
  last_used_at: Date | null;
}): Date | null {
  if (!token.is_session) return null;
  return new Date((token.last_used_at ?? token.created_at).getTime() + SESSION_MS);
}
