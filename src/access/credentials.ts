import type { CredentialNames } from '../platform/http/credentials';

/** Where requests carry API tokens and order tokens. */
export const CREDENTIALS = {
  header: 'X-Store-Token',
  orderHeader: 'X-Order-Token',
  parameter: 'token',
  orderParameter: 'order_token',
  parameters: ['token', 'order_token'],
} satisfies CredentialNames & Record<string, unknown>;
