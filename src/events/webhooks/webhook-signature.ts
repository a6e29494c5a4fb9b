import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Creates the secret of a webhook, as Standard Webhooks writes it. */
export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** What is sent, and what identifies it: the same for each attempt. */
export interface Message {
  id: string;
  /** Of the attempt, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/** Builds the headers of Standard Webhooks: a signature for each secret. */
export function buildWebhookHeaders(
  { id, timestamp, body }: Message,
  secrets: readonly string[],
): Record<string, string> {
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(sign).join(' '),
  };
}
