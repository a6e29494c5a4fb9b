import { createSealedBox } from '../../platform/sealed-box';
import type { WebhookSecrets } from './webhooks.repository';

const CONTEXT = Buffer.from('webhook secret');

const boxOf = (secret: Buffer) => createSealedBox(secret, 'webhooks');

/** Encrypts the secret of a webhook with the key of the store. */
export function sealWebhookSecret(storeSecret: Buffer, secret: string): Buffer {
  return boxOf(storeSecret).seal(Buffer.from(secret), CONTEXT);
}

/** Returns the secrets that sign now: the current one, and after a rotation also the former one. */
export function openWebhookSecrets(storeSecret: Buffer, stored: WebhookSecrets, now: Date): string[] {
  const box = boxOf(storeSecret);
  const { secret, previous_secret, previous_secret_until } = stored;
  const isKept = previous_secret !== null && previous_secret_until !== null && previous_secret_until > now;
  return [secret, ...(isKept ? [previous_secret] : [])].map((sealed) => box.open(sealed, CONTEXT).toString());
}
