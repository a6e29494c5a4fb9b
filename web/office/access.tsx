import { queryOptions, useQuery } from '@tanstack/preact-query';
import { unwrap, type components } from 'store-api-client';
import { store } from './office';

/** A permission of staff, such as `orders:write`. */
export type Scope = NonNullable<components['schemas']['CreateRoleBody']['role']['scopes']>[number];

const AREA_NAMES = [
  ...(['catalog', 'stock', 'orders', 'shipments', 'payments', 'customers'] as const),
  ...(['settings', 'events', 'reports'] as const),
];

/** All scopes that a role or a token can have. */
const SCOPES: readonly Scope[] = AREA_NAMES.flatMap((area) => [`${area}:read`, `${area}:write`] as const);

const nameScope = (scope: string): string => scope.replace(':', ': ');

/** The scopes to choose from. */
export const SCOPE_CHOICES = SCOPES.map((scope) => ({ value: scope, name: nameScope(scope) }));

/** Names scopes as the choices do. */
export const nameScopes = (scopes: readonly string[]): string => scopes.map(nameScope).join(', ');

/** Returns the scopes among chosen values. */
export const toScopes = (chosen: readonly string[]): Scope[] =>
  SCOPES.filter((scope) => chosen.includes(scope));

const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => unwrap(store.GET('/api/v1/users/me')),
  staleTime: 60_000,
});

/** The signed-in member of staff, with what they may do. */
export const useMe = () => useQuery(meQuery);

/**
 * Returns whether the member of staff has a scope, or with `*` all of them; false until that is known. The API refuses what the office
 * hides, so this only keeps away what would fail.
 */
export function useMay(): (scope: Scope | '*') => boolean {
  const scopes: readonly string[] = useMe().data?.scopes ?? [];
  return (scope) =>
    scopes.includes('*') ||
    scopes.includes(scope) ||
    (scope.endsWith(':read') && scopes.includes(scope.replace(/:read$/, ':write')));
}

/** Whether the member of staff is an administrator: only they manage roles, tokens and passwords of others. */
export const useIsAdmin = (): boolean => useMe().data?.scopes.includes('*') ?? false;
