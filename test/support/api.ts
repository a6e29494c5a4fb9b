import type { Express } from 'express';
import { pino } from 'pino';
import request, { type Response, type Test } from 'supertest';
import { authenticate } from '../../src/accounts/authenticate';
import { buildApp, type AppOptions } from '../../src/app';
import type { Deps } from '../../src/sales/context';
import { createVariantStock } from '../../src/inventory/variant-stock';
import { fillBackorders } from '../../src/sales/fulfilment/fill-backorders';
import { createRateLimits } from '../../src/platform/rate-limits';
import { builtInGateways } from '../../src/sales/payment-processing/gateways/registry';
import { expectDocumented } from './documented';
import { testDb } from './database';
import { TEST_SECRET, testMailer } from './mail';
import { agent, serve } from './server';
import { testStorage } from './storage';

export interface TestApp {
  app: Express;
  deps: Deps;
}

let shared: TestApp | undefined;

/** Returns the application of the test file, on the file's database. */
export function testApp(): TestApp {
  shared ??= makeTestApp({});
  return shared;
}

/** Creates an application with some dependencies replaced, for example the clock. */
export function makeTestApp(
  parts: Partial<Deps>,
  options: Partial<Omit<AppOptions, 'deps' | 'authenticate'>> = {},
): TestApp {
  const deps: Deps = {
    db: testDb(),
    log: pino({ level: 'fatal' }),
    now: () => new Date(),
    storage: testStorage(),
    variantStock: createVariantStock,
    onBackordersFilled: fillBackorders,
    gateways: builtInGateways,
    // Requests of a test meet as those of several instances do: only locks keep them apart.
    orderTurns: (_order, work) => work(),
    limits: createRateLimits(parts.db ?? testDb(), 100),
    mailer: testMailer(),
    secret: TEST_SECRET,
    ...parts,
  };
  return { deps, app: buildApp({ deps, authenticate, corsOrigins: ['*'], ...options }) };
}

/** Credentials of a request: none, an API token or an order token. */
export interface Caller {
  token?: string;
  orderToken?: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Body = object | string | undefined;

/** Returns a client of the API under /api/v1. Every reply is validated against the published document. */
export function api(caller: Caller = {}, { app } = testApp()) {
  const send = async (method: Method, path: string, fill: (test: Test) => void): Promise<Response> => {
    const server = request(await serve(app));
    const test = server[method](`/api/v1${path}`).agent(agent);
    // Compressing and decompressing takes longer than it saves; catalog-replies.test.ts tests it.
    void test.set('Accept-Encoding', 'identity');
    if (caller.token !== undefined) void test.set('X-Store-Token', caller.token);
    if (caller.orderToken !== undefined) void test.set('X-Order-Token', caller.orderToken);
    if (caller.headers !== undefined) void test.set(caller.headers);
    fill(test);
    const response = await test;
    expectDocumented(response);
    return response;
  };
  const sendBody = (method: Method, path: string, body?: Body): Promise<Response> =>
    send(method, path, (test) => {
      if (body !== undefined) void test.send(body);
    });
  return {
    get: (path: string): Promise<Response> => sendBody('get', path),
    post: (path: string, body?: Body): Promise<Response> => sendBody('post', path, body),
    put: (path: string, body?: Body): Promise<Response> => sendBody('put', path, body),
    patch: (path: string, body?: Body): Promise<Response> => sendBody('patch', path, body),
    delete: (path: string, body?: Body): Promise<Response> => sendBody('delete', path, body),
    /** Sends a multipart request of fields and files. */
    multipart: (
      method: 'post' | 'put',
      path: string,
      parts: { fields?: Record<string, string>; files?: { part: string; bytes: Buffer; name: string }[] },
    ): Promise<Response> =>
      send(method, path, (test) => {
        for (const [name, value] of Object.entries(parts.fields ?? {})) void test.field(name, value);
        for (const file of parts.files ?? []) void test.attach(file.part, file.bytes, file.name);
      }),
  };
}
