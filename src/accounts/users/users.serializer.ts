import { isAdmin, type Actor } from '../../access/actor';
import { serializeMetadata } from '../../access/metadata';
import { serializeAddress } from '../../geography/addresses/addresses.serializer';
import type { OwnUserJson, UserJson } from './users.schema';
import type { UserGraph } from './users.repository';

/** Serializes a user as `actor` may see it. */
export function serializeUser(user: UserGraph, actor: Actor): UserJson {
  return {
    id: user.id,
    email: user.email,
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
    roles: user.roles,
    bill_address: user.bill_address === null ? null : serializeAddress(user.bill_address),
    ship_address: user.ship_address === null ? null : serializeAddress(user.ship_address),
    vat_id: user.vat_id,
    ...serializeMetadata(user, isAdmin(actor)),
  };
}

/** Serializes the authenticated user. */
export function serializeOwnUser(user: UserGraph, actor: Actor): OwnUserJson {
  return { ...serializeUser(user, actor), scopes: actor.kind === 'guest' ? [] : [...actor.grants] };
}
