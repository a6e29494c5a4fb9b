import { queryOptions } from '@tanstack/preact-query';
import { unwrap, type Role } from 'store-api-client';
import { store } from '../office';
import type { Choice } from '../parts/fields';

/** The role of those who sign up in the shop. */
export const CUSTOMER = 'customer';

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () =>
    (await unwrap(store.GET('/api/v1/roles', { params: { query: { per_page: 100 } } }))).roles,
  staleTime: 60_000,
});

/** Returns the roles of staff to choose from. */
export const toRoleChoices = (roles: readonly Role[]): Choice[] =>
  roles.filter(({ name }) => name !== CUSTOMER).map(({ name }) => ({ value: name, name }));
