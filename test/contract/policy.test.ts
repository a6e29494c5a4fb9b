import { createHash, randomBytes } from 'node:crypto';
import { apiRouters } from '../../src/routers';
import { buildActor, GUEST } from '../../src/access/actor';
import type { AREAS } from '../../src/access/scopes';
import { ANY_TOKEN, SCOPES } from '../../src/access/scopes';
import { NotAuthorized } from '../../src/platform/errors';
import type { Route } from '../../src/platform/http/endpoint';
import { authorizeCall } from '../../src/access/access';
import type { Access } from '../../src/access/access';
import { aClerk, aCustomer, aLimitedToken, anAdmin, type TestUser } from '../support/accounts.factory';
import { getPlaceIds } from '../support/addresses.factory';
import { api, type Caller } from '../support/api';
import { testDb } from '../support/database';
import { unique } from '../support/unique';
import { NOT_FOUND } from '../support/error-bodies';

const NOT_ALLOWED = { error: 'You are not authorized to perform that action.' };

/** The outcome of a request: `y` for the reply of the resource, or else the status of the error. */
type Outcome = 'y' | 401 | 404;

interface Row {
  routes: RegExp;
  guest: Outcome;
  customer: Outcome;
  admin: Outcome;
  /** The actor with the order token, and the owner; they default to guest and customer. */
  token?: Outcome;
  owner?: Outcome;
}

const EVERYBODY = { guest: 'y', customer: 'y', admin: 'y' } as const;
const ADMINS = { guest: 401, customer: 401, admin: 'y' } as const;
const SIGNED_IN = { guest: 401, customer: 'y', admin: 'y' } as const;
const SELF = { guest: 404, customer: 404, admin: 'y' } as const;
const ORDER = { guest: 401, customer: 401, token: 'y', owner: 'y', admin: 'y' } as const;
const ORDER_ADMINS = { ...ADMINS, token: 401, owner: 401 } as const;

/**
 * Who may call each route, written independently of the `access` of the endpoints. The first row that matches a route
 * applies. The records in the paths do not exist, so an authorization error is decided before the look-up.
 */
const MATRIX: Row[] = [
  // 2.1; the product of the path does not exist, which is checked before the role
  { routes: /^(post|put|delete) \/products\/:product_id\/product_properties/, ...SELF },
  { routes: /\/products\/:product_id\/relations/, ...ADMINS },
  { routes: /^get \/(products|variants|option_types|option_values|taxonomies|taxons)\b/, ...EVERYBODY },
  { routes: /^get \/(properties|zones|countries|states|config|openapi)\b/, ...EVERYBODY },
  { routes: /^(post|put|delete) \/(products|variants|option_types|option_values)\b/, ...ADMINS },
  { routes: /^(post|put|delete) \/(taxonomies|taxons|classifications|properties|zones)\b/, ...ADMINS },
  { routes: /^\w+ \/(stores|promotions|audit_log|events|webhooks)\b/, ...ADMINS },
  // 12.2, settings
  { routes: /^get \/shipping_categories\b/, ...EVERYBODY },
  { routes: /^(post|put|delete) \/shipping_categories\b/, ...ADMINS },
  {
    routes:
      /^\w+ \/(tax_categories|tax_rates|shipping_methods|payment_methods|return_authorization_reasons)\b/,
    ...ADMINS,
  },
  // 2.2
  { routes: /^\w+ \/(stock_locations|stock_items)\b/, ...ADMINS },
  // 2.3
  { routes: /^get \/(orders\/mine|orders\/current|shipments\/mine)$/, ...SIGNED_IN },
  { routes: /^get \/(orders|payments|return_authorizations)$/, ...ADMINS },
  { routes: /^post \/orders(\/lookup)?$/, ...EVERYBODY },
  {
    routes: /^put \/(orders|checkouts)\/:number\/associate$/,
    guest: 401,
    customer: 401,
    token: 401,
    owner: 'y',
    admin: 401,
  },
  { routes: /^put \/(orders|checkouts)\/:number\/(approve|resume|retax)$/, ...ORDER_ADMINS },
  { routes: /^put \/payments\/:id\/(confirm|cancel)_action$/, ...ORDER },
  { routes: /^put \/\w+\/:number\/payments\/:id\/(confirm|cancel)_action$/, ...ORDER },
  { routes: /^post \/gateways\/:payment_method_id\/events$/, ...EVERYBODY },
  { routes: /^put \/(orders|checkouts)\/:number\/payments\/:id/, ...ORDER_ADMINS },
  { routes: /^\w+ \/(orders|checkouts)\/:number\/(return_authorizations|adjustments)/, ...ORDER_ADMINS },
  { routes: /^\w+ \/(orders|checkouts)\/:number/, ...ORDER },
  { routes: /^\w+ \/(shipments|inventory_units)\b/, ...ADMINS },
  { routes: /^get \/reports\//, ...ADMINS },
  { routes: /^get \/documents(\.\w+)?$/, ...ADMINS },
  // 2.4
  { routes: /^(post \/users|get \/users\/new|post \/sessions)$/, ...EVERYBODY },
  { routes: /^(post|put) \/passwords$/, ...EVERYBODY },
  { routes: /^(\w+ \/users\/me(\/\w+(\/:id)?)?|delete \/sessions)$/, ...SIGNED_IN },
  { routes: /^\w+ \/(roles|mails|undelivered_mails)\b/, ...ADMINS },
  { routes: /^put \/users\/:id\/(erase|merge)$/, ...ADMINS },
  { routes: /^delete \/users\/:id\/two_factor$/, ...ADMINS },
  { routes: /^get \/users$/, ...ADMINS },
  { routes: /^\w+ \/users\/:(id|user_id)/, ...SELF },
  { routes: /^\w+ \/(bulk|imports|exports)\b/, ...ADMINS },
];

const endpoints = apiRouters().flatMap((router) => router.endpoints);
const routes = endpoints.map((endpoint) => endpoint.route);
const declared = endpoints.map(({ route, access }): [Route, Access] => [route, access]);
const withScopes = endpoints.map(({ route, scope }): [Route, string] => [route, scope]);
const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.route, endpoint]));
const rowOf = (route: string): Row | undefined => MATRIX.find((row) => row.routes.test(route));

function mustHaveRow(route: Route): Row {
  const row = rowOf(route);
  if (row === undefined) throw new Error(`the matrix has no row for ${route}`);
  return row;
}

/** Returns whether the call of a route is refused before any record is loaded; null for a guest. */
function refuses(route: Route, holder: { roleGrants?: string[]; tokenGrants?: string[] } | null): boolean {
  const endpoint = endpointOf.get(route);
  if (endpoint === undefined) throw new Error(`no endpoint ${route}`);
  const grants = { roleGrants: [], tokenGrants: ['*'], ...holder };
  const signedIn = { user_id: 1, email: 'a@example.com', token_id: 1, token_name: '', ...grants };
  try {
    authorizeCall(endpoint, holder === null ? GUEST : buildActor(signedIn, endpoint.scope));
    return false;
  } catch (error) {
    if (error instanceof NotAuthorized) return true;
    throw error;
  }
}

/** The area of each route's scope, written independently of the routers. The first row that matches applies. */
const AREA_OF: [RegExp, (typeof AREAS)[number] | typeof ANY_TOKEN | 'orders or shipments'][] = [
  [/^put .*\/return_authorizations\/:id\/(add|receive)$/, 'orders or shipments'],
  [/ \/(events|webhooks)\b/, 'events'],
  [/ \/(sessions|passwords|openapi)$/, ANY_TOKEN],
  [/ \/reports\b/, 'reports'],
  [/ \/documents\b/, 'reports'],
  [/ \/imports\b/, ANY_TOKEN],
  [/^get \/tax_categories\b/, ANY_TOKEN],
  [/ \/bulk\/stock$|\/exports\/(stock|movements)/, 'stock'],
  [/ \/bulk\/shipments$/, 'shipments'],
  [/ \/bulk\/prices$|\/exports\/(products|prices)/, 'catalog'],
  [/\/exports\/customers/, 'customers'],
  [/\/exports\/(orders|line_items)/, 'orders'],
  [/\/exports\/payments/, 'payments'],
  [/ \/(products|variants|option_types|option_values|images|properties)\b/, 'catalog'],
  [/ \/(taxonomies|taxons|classifications|tax_categories|shipping_categories)\b/, 'catalog'],
  [/ \/(stock_locations|stock_items)\b/, 'stock'],
  [/ \/(orders|checkouts)\/:number\/refunds$/, 'orders'],
  [/ \/(payments|gateways|(orders|checkouts)\/:number\/payments)\b/, 'payments'],
  [/ \/(shipments|inventory_units)\b/, 'shipments'],
  [/ \/(orders|checkouts|return_authorizations)\b/, 'orders'],
  [/ \/users\b/, 'customers'],
  [/ \//, 'settings'],
];

const areaOf = (route: string): string => AREA_OF.find(([routes]) => routes.test(route))?.[1] ?? '';

describe('the declared scope', () => {
  test.each(withScopes)('of %s is %s', (route, scope) => {
    const area = areaOf(route);
    const access = route.startsWith('get ') ? 'read' : 'write';
    const scopes = area.split(' or ').map((one) => `${one}:${access}`);
    expect(scope).toBe(area === ANY_TOKEN ? ANY_TOKEN : scopes.join(' or '));
    if (area !== ANY_TOKEN) expect(SCOPES).toEqual(expect.arrayContaining(scopes));
  });

  test.each(withScopes)('of %s decides about members of staff and tokens', (route, scope) => {
    const { access, method } = endpointOf.get(route) ?? { access: 'anyone', method: 'get' };
    const row = mustHaveRow(route);
    const includes = (granted: string): boolean =>
      scope === ANY_TOKEN ||
      scope.split(' or ').some((one) => granted === one || granted.replace(':write', ':read') === one);
    const refusedAs = (holder: (granted: string) => { roleGrants?: string[]; tokenGrants?: string[] }) =>
      SCOPES.filter((granted) => refuses(route, holder(granted)));
    // Without the scope, a member of staff is a customer.
    expect(refusedAs((granted) => ({ roleGrants: [granted] }))).toEqual(
      SCOPES.filter((granted) => (access === 'admin' ? !includes(granted) : access === 'full_admin')),
    );
    expect(refusedAs((granted) => ({ roleGrants: ['*'], tokenGrants: [granted] }))).toEqual(
      SCOPES.filter(
        (granted) => access === 'full_admin' || (!includes(granted) && !acceptsGuests(access, method)),
      ),
    );
    // A token does not extend the permissions of its user.
    if (row.customer === 401 && !dependsOnOrder(row))
      expect(refusedAs((granted) => ({ tokenGrants: [granted] }))).toEqual(SCOPES);
  });
});

/** Whether the order decides who may call the route. */
function dependsOnOrder({ token, owner }: Row): boolean {
  return token === 'y' || owner === 'y';
}

/**
 * Whether the route accepts a guest: as an anonymous reader, with an order token, or to reply that the record is
 * missing.
 */
function acceptsGuests(access: Access, method: string): boolean {
  return access === 'order' || access === 'admin_within' || (access === 'anyone' && method === 'get');
}

describe('the declared access', () => {
  test('covers the same routes as the matrix', () => {
    expect(routes.filter((route) => rowOf(route) === undefined)).toEqual([]);
    const unused = MATRIX.filter((row) => !routes.some((route) => rowOf(route) === row));
    expect(unused).toEqual([]);
  });

  test.each(declared)('of %s, %s, matches the matrix', (route) => {
    const row = mustHaveRow(route);
    // If an order token or the owner is allowed, the order must be loaded before access is denied.
    const isLoadedFirst = dependsOnOrder(row);
    expect(refuses(route, null)).toBe(row.guest === 401 && !isLoadedFirst);
    expect(refuses(route, { roleGrants: [] })).toBe(row.customer === 401 && !isLoadedFirst);
    expect(refuses(route, { roleGrants: ['*'] })).toBe(false);
  });

  test('is declared once per route', () => {
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
  });

  test('is the same under /checkouts as under /orders', () => {
    const accessOf = new Map<string, Access>(declared);
    const ofOrders = declared.filter(([route]) => route.includes(' /orders/:number/'));
    expect(ofOrders.length).toBeGreaterThan(30);
    for (const [route, access] of ofOrders) {
      const copy = route.replace('/orders/', '/checkouts/');
      expect([copy, accessOf.get(copy)]).toEqual([copy, access]);
    }
  });
});

const UNKNOWN_ID = '2147483647';

interface PlacedOrder {
  number: string;
  address_id: number;
  ownerCaller: Caller;
  tokenCaller: Caller;
}

/** Places an order of another customer, with an address and a known token, for the routes of orders. */
async function anOrder(): Promise<PlacedOrder> {
  const db = testDb();
  const [owner, orderToken] = [await aCustomer(), unique('token')];
  const place = await getPlaceIds('US', 'MD');
  const [address] = await db('addresses')
    .insert({
      firstname: 'A',
      lastname: 'B',
      address1: 'C',
      city: 'D',
      zipcode: '20814',
      phone: '1',
      ...place,
    })
    .returning('id');
  const number = `R${randomBytes(6).readUIntBE(0, 6)}`;
  await db('orders').insert({
    number,
    user_id: owner.id,
    email: owner.email,
    currency: 'USD',
    bill_address_id: address.id,
    token_seed: randomBytes(16),
    token_hash: createHash('sha256').update(orderToken).digest(),
  });
  return { number, address_id: address.id, ownerCaller: owner, tokenCaller: { orderToken } };
}

function pathOf(route: Route, order: PlacedOrder | null): string {
  const [, pattern = ''] = route.split(' ');
  const number = order?.number ?? 'H00000000000';
  return pattern
    .replace('/addresses/:id', `/addresses/${order?.address_id ?? UNKNOWN_ID}`)
    .replace(':number', number)
    .replace(/:\w+/g, UNKNOWN_ID);
}

async function send(method: string, caller: Caller, path: string) {
  const client = api(caller);
  if (method === 'get') return client.get(path);
  if (method === 'post') return client.post(path, {});
  if (method === 'put') return client.put(path, {});
  if (method === 'patch') return client.patch(path, {});
  return client.delete(path);
}

function expectOutcome(reply: { status: number; body: unknown }, outcome: Outcome): void {
  if (outcome === 401) expect([reply.status, reply.body]).toEqual([401, NOT_ALLOWED]);
  else if (outcome === 404) expect([reply.status, reply.body]).toEqual([404, NOT_FOUND]);
  else {
    expect(reply.status).not.toBe(401);
    expect(reply.status).toBeLessThan(500);
  }
}

/**
 * What a member of staff gets who has the scope and is not a full administrator. The users in the paths do not exist.
 */
function withLimits(route: Route): Outcome {
  return mustHaveRow(route).admin;
}

const knownCallers = new Map<string, Promise<TestUser>>();

/** Returns the caller of this name: the same one for all routes, but another one for each route that changes its caller. */
function callerOf(route: Route, name: string, create: () => Promise<TestUser>): Promise<TestUser> {
  if (/ \/(users\/me|sessions)\b/.test(route)) return create();
  const known = knownCallers.get(name) ?? create();
  knownCallers.set(name, known);
  return known;
}

describe('over HTTP', () => {
  test.each(routes)('%s', async (route) => {
    const row = mustHaveRow(route);
    const isOfOrder = /^\w+ \/(orders|checkouts)\/:number/.test(route);
    const order = isOfOrder ? await anOrder() : null;
    const path = pathOf(route, order);
    const method = route.slice(0, route.indexOf(' '));

    const caller = (name: string, create: () => Promise<TestUser>) => callerOf(route, name, create);
    const callers: [Caller, Outcome][] = [
      [{}, row.guest],
      [await caller('customer', aCustomer), row.customer],
      ...(order === null
        ? []
        : ([
            [{ orderToken: 'wrong' }, row.guest],
            [order.tokenCaller, row.token ?? row.guest],
            [order.ownerCaller, row.owner ?? row.customer],
          ] satisfies [Caller, Outcome][])),
      [await caller('admin', anAdmin), row.admin],
    ];
    for (const [sender, outcome] of callers) expectOutcome(await send(method, sender, path), outcome);
    if (method === 'put') expectOutcome(await send('patch', {}, path), row.guest);

    const scope = endpointOf.get(route)?.scope ?? '';
    if (scope !== ANY_TOKEN && endpointOf.get(route)?.access !== 'full_admin') {
      const scopes = scope.split(' or ');
      const other = SCOPES.filter(
        (one) => ![one, one.replace(':write', ':read')].some((name) => scopes.includes(name)),
      );
      const isReadOnly = row.admin === 'y' && row.guest === 'y' && method === 'get';
      // A token without the scope is refused where guests may not read, also that of an owner, and one with the scope
      // is accepted.
      const outsider = await caller(`without ${scope}`, () => aLimitedToken('admin', other));
      const outside = await send(method, outsider, path);
      const hidden = row.guest === 404 && /^\w+ \/products/.test(route) ? 404 : 401;
      expectOutcome(outside, isReadOnly ? 'y' : hidden);
      // A token with limits changes no credentials. Other routes find their input missing before.
      const limited = route === 'post /users/me/two_factor' ? 401 : withLimits(route);
      for (const one of scopes) {
        const insider = await caller(`with ${one}`, () => aLimitedToken('admin', [one]));
        expectOutcome(await send(method, insider, path), limited);
        const clerk = await caller(`clerk with ${one}`, () => aClerk([one]));
        expectOutcome(await send(method, clerk, path), withLimits(route));
      }
    }

    const stranger = await send(method, { token: 'nope' }, path);
    expect([stranger.status, stranger.body]).toEqual([401, { error: 'Invalid API key (nope) specified.' }]);
  });

  test('an existing account is as invisible to others as a missing one', async () => {
    const [ann, bob] = [await aCustomer(), await aCustomer()];
    for (const caller of [{}, bob]) {
      const [there, nowhere] = [
        await api(caller).get(`/users/${ann.id}`),
        await api(caller).get(`/users/${UNKNOWN_ID}`),
      ];
      expect([there.status, there.body]).toEqual([nowhere.status, nowhere.body]);
    }
  });
});
