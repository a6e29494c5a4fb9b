import { createHash, randomBytes } from 'node:crypto';

/** A new API token: 256 random bits, url-safe, 43 characters. Shown once; only its hash is kept. */
export function generateToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a token, as stored. A token has full entropy, so one fast hash is enough. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
