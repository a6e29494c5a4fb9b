import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Express } from 'express';
import type { Knex } from 'knex';
import request, { type Response } from 'supertest';
import { storeReference } from '../../docs-content/store-reference';
import { apiRouters } from '../../src/app';
import type { EndpointDescription } from '../../src/platform/http/endpoint';
import { buildDocument, toDocumentPath } from '../../src/platform/openapi/document';
import { findExampleSource } from '../../src/platform/openapi/parameter-examples';
import { OWNER_TOKEN } from './demo-shop';
import { expectDocumented } from './documented';

const PICTURE = readFileSync(path.resolve(__dirname, '../../docs/tote.png'));

export interface Example {
  endpoint: EndpointDescription;
  method: string;
  url: string;
  body?: object;
  /** The part that takes a file, where a file must be sent. */
  upload?: string;
  success: string[];
}

const endpoints = apiRouters().flatMap((router) => router.endpoints);
export const document: { paths: Record<string, Record<string, any>> } = JSON.parse(
  JSON.stringify(buildDocument(endpoints, storeReference)),
);

/** What somebody who tries an operation in the reference page sends, without changing anything there. */
function exampleOf(endpoint: EndpointDescription, method: string): Example {
  // Aliases are documented by the operation that they repeat.
  const documented = toDocumentPath((endpoint.sameAs ?? endpoint).path);
  const operation = document.paths[documented]?.[endpoint.method];
  const parameters: any[] = operation.parameters ?? [];
  const named = parameters.filter(({ in: place }) => place === 'path');
  const url = named.reduce<string>(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    toDocumentPath(endpoint.path),
  );
  const queryParameters = parameters.filter(
    (one) => one.in === 'query' && 'example' in one && one.name !== 'q',
  );
  const query = queryParameters
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&');
  const content = operation.requestBody?.content ?? {};
  const body = content['application/json']?.example;
  return {
    ...{ endpoint, method },
    url: query === '' ? url : `${url}?${query}`,
    ...(body !== undefined && { body }),
    ...(operation.requestBody?.required === true &&
      endpoint.upload !== undefined && { upload: endpoint.upload }),
    success: Object.keys(operation.responses).filter((status) => status.startsWith('2')),
  };
}

export const examples = endpoints.flatMap((endpoint) =>
  (endpoint.method === 'put' ? ['put', 'patch'] : [endpoint.method]).map((method) =>
    exampleOf(endpoint, method),
  ),
);

/**
 * Whether the example cannot succeed in a demo store: it needs a token that was mailed, a card or an address of the administrator,
 * an order of a customer, or a CSV file.
 */
export function needsMoreThanDemo({ endpoint: { route } }: Example): boolean {
  return (
    /^put \/passwords$|\/associate$|\/imports\b|\/credit_cards\/:id$/.test(route) ||
    /^(put|delete) .*\/(addresses|adjustments)\/:id$/.test(route)
  );
}

/** Prepares a demo store for the example that needs a payment whose gateway does not answer: no request makes one. */
export async function prepareShop(db: Knex, { endpoint, url }: Example): Promise<void> {
  if (!endpoint.path.endsWith('/payments/:id/settle')) return;
  await db.raw(
    `WITH waiting AS (UPDATE payments SET state = 'processing' WHERE number = ? RETURNING id, amount)
     INSERT INTO payment_operations
       (payment_id, kind, event, amount, idempotency_key, state_before, started_at, claimed_until)
     SELECT id, 'capture', 'capture', amount, 'example', 'pending', now() - interval '1 hour', now() FROM waiting`,
    [url.split('/').at(-2) ?? ''],
  );
}

/** Tries an example, after the one that creates its record. */
export async function tryInTurn(app: Express, example: Example): Promise<void> {
  await makeItsRecord(app, example);
  const reply = await sendExample(app, example);
  const { method, url, success } = example;
  const outcome = success.includes(String(reply.status)) ? String(reply.status) : reply.text;
  expect([method, url, success]).toEqual([method, url, expect.arrayContaining([outcome])]);
}

/** Tries the example that creates the record of this one, if there is one. */
export async function makeItsRecord(app: Express, example: Example): Promise<void> {
  const maker = findExampleSource(example.endpoint, storeReference.parameterExamples);
  const before = examples.find(({ endpoint }) => endpoint.route === maker);
  if (before !== undefined) await tryInTurn(app, before);
}

/** Sends an example as the administrator; its reply is checked against the document. */
export async function sendExample(
  app: Express,
  { method, url, body, upload }: Example,
  headers: Record<string, string> = {},
): Promise<Response> {
  const verbs = request(app) as unknown as Record<string, (url: string) => request.Test>; // by the verb's name
  const test = verbs[method]?.(url).set('X-Store-Token', OWNER_TOKEN).set(headers);
  if (test === undefined) throw new Error(`no such verb: ${method}`);
  if (upload !== undefined) void test.attach(upload, PICTURE, 'tote.png');
  const reply = await (body === undefined ? test : test.send(body));
  expectDocumented(reply);
  expect(reply.headers['x-ignored-parameters']).toBeUndefined();
  return reply;
}

/** Builds the SQL that sets every sequence to what it is now: a transaction that is rolled back leaves them ahead. */
export async function sequenceReset(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { reset: string }[] }>(
    `SELECT 'SELECT ' || string_agg(
       format('setval(%L, %s, %L)', schemaname || '.' || sequencename, coalesce(last_value, 1), last_value IS NOT NULL), ', '
     ) AS reset FROM pg_sequences`,
  );
  return rows[0]?.reset ?? '';
}
