import { calculateExpiry } from '../token-store/token-expiry';
import type { ApiTokenRow } from '../token-store/api-tokens.repository';
import type { ApiTokenJson } from './api-tokens.schema';

export function serializeApiToken(token: ApiTokenRow): ApiTokenJson {
  return {
    id: token.id,
    name: token.name,
    created_at: token.created_at.toISOString(),
    revoked_at: token.revoked_at?.toISOString() ?? null,
    last_used_at: token.last_used_at?.toISOString() ?? null,
    scopes: token.scopes,
    expires_at: calculateExpiry(token)?.toISOString() ?? null,
  };
}
