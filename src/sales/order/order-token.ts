import { createHmac, randomBytes } from 'node:crypto';
import { hashToken } from '../../access/tokens';

/**
 * Derives the token of an order from its stored random seed and the secret of the program. The database holds neither
 * the token nor the secret, yet every reply can show the token.
 */
export function deriveOrderToken(secret: Buffer, seed: Buffer): string {
  return createHmac('sha256', secret).update('order-token').update(seed).digest('base64url').slice(0, 22);
}

/**
 * Generates the token columns of a new order, or of one that gets another owner: a random seed of 128 bits, and the
 * SHA-256 hash of the token.
 */
export function generateOrderToken(secret: Buffer): { token_seed: Buffer; token_hash: Buffer } {
  const token_seed = randomBytes(16);
  const token_hash = hashToken(deriveOrderToken(secret, token_seed));
  return { token_seed, token_hash };
}
