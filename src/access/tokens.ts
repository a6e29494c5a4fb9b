import { createHash, randomBytes } from 'node:crypto';

/** Generates an API token: 256 random bits as 43 URL-safe characters. It is shown once; only its hash is stored. */
export function generateToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 hash of a token, as stored. A fast hash is sufficient because tokens are random. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
