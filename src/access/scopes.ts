/** The parts of the store that tokens and roles give access to. */
export const AREAS = [
  'catalog',
  'stock',
  'orders',
  'shipments',
  'payments',
  'customers',
  'settings',
  'events',
  'reports',
] as const;

export type Area = (typeof AREAS)[number];

/** A permission. `write` includes `read`. */
export type Scope = `${Area}:${'read' | 'write'}`;

/** All scopes, in the order of the areas. */
export const SCOPES: readonly Scope[] = AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const);

/** Stands for all scopes: those of the role `admin`, and of tokens without limits. */
export const EVERYTHING = '*';

/** The scope of endpoints that every token may call, such as signing out. */
export const ANY_TOKEN = 'any';

/** The scope of an endpoint: what a token or a role must have for it, or one of two. */
export type EndpointScope = Scope | `${Scope} or ${Scope}` | typeof ANY_TOKEN;

/** Scopes as roles and tokens have them: names, or `*`. */
export type Grants = readonly string[];

/** Returns whether the grants include everything. */
export function isEverything(grants: Grants): boolean {
  return grants.includes(EVERYTHING);
}

/** Returns whether the grants include the scope of an endpoint. */
export function coversScope(grants: Grants, scope: string): boolean {
  if (scope === ANY_TOKEN || isEverything(grants)) return true;
  return scope
    .split(' or ')
    .some(
      (one) =>
        grants.includes(one) || (one.endsWith(':read') && grants.includes(one.replace(/:read$/, ':write'))),
    );
}

/** Returns the grants that both include. */
export function intersectGrants(one: Grants, other: Grants): Grants {
  if (isEverything(one)) return other;
  if (isEverything(other)) return one;
  return SCOPES.filter((scope) => coversScope(one, scope) && coversScope(other, scope));
}
