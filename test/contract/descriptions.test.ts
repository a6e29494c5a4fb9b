import { apiRouters } from '../../src/routers';
import { ERROR_CODES } from '../../src/errors/error-codes';
import { buildDocument, toDocumentPath } from '../../src/platform/openapi/document';
import { listUndescribed } from '../../src/platform/openapi/describe-properties';
import { errorCodes } from '../../docs-content/error-codes';
import { properties } from '../../docs-content/properties';
import { storeReference } from '../../docs-content/store-reference';
import { MACHINES, arrowsOf } from '../../docs-content/state-machines';
import {
  INVENTORY_UNIT_STATES,
  ORDER_STATES,
  PAYMENT_STATES,
  RETURN_AUTHORIZATION_STATES,
  SHIPMENT_STATES,
} from '../../src/sales/order/states';

const endpoints = apiRouters().flatMap((router) => router.endpoints);
const document: any = JSON.parse(JSON.stringify(buildDocument(endpoints, storeReference)));
const schemas = document.components.schemas;

describe('every property', () => {
  test('has a description', () => {
    expect(listUndescribed(document)).toEqual([]);
  });

  test('a missing description is found, also of a property named properties', () => {
    const schema = { properties: { properties: { properties: { inner: {} } } } };
    expect(listUndescribed(schema)).toEqual(['.properties', '.properties.inner']);
  });

  test.each(Object.keys(properties))('the common description of %s is used', (name) => {
    expect(JSON.stringify(document)).toContain(JSON.stringify(properties[name]));
  });
});

describe('every operation', () => {
  test.each(endpoints.filter(({ sameAs }) => sameAs === undefined).map(({ route }) => route))(
    '%s says what it does and what can go wrong',
    (route) => {
      const endpoint = endpoints.find((candidate) => candidate.route === route);
      expect(endpoint?.description).toMatch(/^[A-Z`\d].*[.)]$/s);
      const operation = document.paths[toDocumentPath(endpoint?.path ?? '')][endpoint?.method ?? ''];
      expect(operation.description).toContain('\n\nErrors: [`');
      for (const code of operation['x-error-codes']) expect(Object.keys(ERROR_CODES)).toContain(code);
    },
  );

  test('the error codes belong to existing routes', () => {
    const routes = new Set<string>(endpoints.map(({ route }) => route));
    expect(Object.keys(errorCodes).filter((route) => !routes.has(route))).toEqual([]);
  });

  test('an alias is folded into the operation that it repeats', () => {
    expect(document.paths['/api/v1/orders/{number}/cancel'].put['x-aliases']).toEqual([
      'PATCH /api/v1/orders/{number}/cancel',
      'PUT /api/v1/checkouts/{number}/cancel',
      'PATCH /api/v1/checkouts/{number}/cancel',
    ]);
    expect(document.paths).not.toHaveProperty(['/api/v1/checkouts/{number}/cancel']);
    expect(Object.values(document.paths).flatMap((methods: any) => Object.keys(methods))).not.toContain(
      'patch',
    );
  });
});

describe('the states', () => {
  const tablesOf = (...titles: string[]) =>
    new Set(
      MACHINES.filter(({ title }) => titles.includes(title)).flatMap(({ rows }) =>
        rows.flatMap(arrowsOf).flatMap(({ from, to }) => [from, to]),
      ),
    );

  test.each([
    ['OrderSummary', ORDER_STATES, ['Checkout', 'Order', 'Order with returns']],
    ['Payment', PAYMENT_STATES, ['Payment']],
    ['Shipment', SHIPMENT_STATES, ['Shipment']],
    ['InventoryUnit', INVENTORY_UNIT_STATES, ['Inventory unit']],
    ['ReturnAuthorization', RETURN_AUTHORIZATION_STATES, ['Return authorization']],
  ])('of %s are those of its machine', (schema, states, titles) => {
    expect(schemas[schema].properties.state.enum).toEqual(states);
    for (const state of tablesOf(...titles)) if (state !== 'any') expect(states).toContain(state);
  });

  test('of a whole order are listed', () => {
    const { payment_state, shipment_state } = schemas.OrderSummary.properties;
    const enumOf = (schema: any) => schema.enum ?? schema.anyOf[0].enum;
    expect(enumOf(payment_state)).toEqual(['failed', 'void', 'balance_due', 'credit_owed', 'paid']);
    expect(enumOf(shipment_state)).toEqual([...SHIPMENT_STATES, 'backorder', 'partial']);
  });
});
