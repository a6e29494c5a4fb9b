import { createHmac, randomBytes } from 'node:crypto';
import { hashToken } from '../../access/tokens';

/**
 * An order's token is shown with the order again and again, so its hash alone would not do; and it must not lie in
 * the database in plain. It is therefore derived from a random seed (stored) and the program's secret (not stored).
 */
export function deriveOrderToken(secret: Buffer, seed: Buffer): string {
  return createHmac('sha256', secret).update('order-token').update(seed).digest('base64url').slice(0, 22);
}

/** What a new order stores of its token: 128 random bits, and the SHA-256 that presented tokens are compared with. */
export function generateOrderToken(secret: Buffer): { token_seed: Buffer; token_hash: Buffer } {
  const token_seed = randomBytes(16);
  const token_hash = hashToken(deriveOrderToken(secret, token_seed));
  return { token_seed, token_hash };
}
