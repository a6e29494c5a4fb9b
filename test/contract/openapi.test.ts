import { EventEmitter, once } from 'node:events';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Express } from 'express';
import { pino } from 'pino';
import request, { type Test } from 'supertest';
import { apiRouters } from '../../src/routers';
import { isRecord } from '../../src/platform/parameters';
import { buildDocument, toDocumentPath } from '../../src/platform/openapi/document';
import { storeReference } from '../../docs-content/store-reference';
import { asAdmin } from '../support/accounts.factory';
import { api, makeTestApp } from '../support/api';

interface LogLine {
  request_id: string;
  route: string;
}

/** Returns the route that handles each operation, such as `get /api/v1/products/:id`, as logged by the application. */
async function answering(operations: string[]): Promise<(string | undefined)[]> {
  const routes = new Map<string, string>();
  const log = new EventEmitter();
  const allLogged = once(log, 'complete');
  const write = (line: string): void => {
    const { request_id, route }: LogLine = JSON.parse(line);
    routes.set(request_id, route);
    if (routes.size === operations.length) log.emit('complete');
  };
  const { app } = makeTestApp({ log: pino({ level: 'info' }, { write }) });
  for (const [index, operation] of operations.entries()) {
    const { method, path } = splitOperation(operation);
    // A line may be written after the client has the reply, so lines are matched by id and awaited.
    await agent(app, method, path.replace(/\{\w+\}/g, '1')).set('X-Request-Id', String(index));
  }
  await allLogged;
  return operations.map((operation, index) => {
    const route = routes.get(String(index));
    return route === undefined ? undefined : `${splitOperation(operation).method} ${route}`;
  });
}

function splitOperation(operation: string): { method: string; path: string } {
  const [method = '', path = ''] = operation.split(' ');
  return { method, path };
}

function agent(app: Express, method: string, path: string): Test {
  const verbs: Record<string, (client: ReturnType<typeof request>) => Test> = {
    get: (client) => client.get(path),
    post: (client) => client.post(path),
    put: (client) => client.put(path),
    patch: (client) => client.patch(path),
    delete: (client) => client.delete(path),
  };
  const send = verbs[method];
  if (send === undefined) throw new Error(`no such verb: ${method}`);
  return send(request(app));
}

async function documented(): Promise<{ operations: string[]; paths: Record<string, Record<string, any>> }> {
  const { body } = await api().get('/openapi.json');
  const operations = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  return { operations: operations.sort(), paths: body.paths };
}

describe('the document', () => {
  test('describes every route and no others', async () => {
    const { operations: own, paths } = await documented();
    const aliases = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation): string[] => operation['x-aliases'] ?? [])
      .map((alias) => alias.replace(/^\w+/, (method) => method.toLowerCase()));
    const operations = [...own, ...aliases].sort();
    const declared = apiRouters().flatMap(({ endpoints }) =>
      endpoints.flatMap(({ method, path }) =>
        (method === 'put' ? ['put', 'patch'] : [method]).map((verb) => `${verb} ${toDocumentPath(path)}`),
      ),
    );
    expect(operations).toEqual(declared.sort());
    const named = (await answering(operations)).map((route) => route?.replace(/:(\w+)/g, '{$1}'));
    expect(named).toEqual(operations);
  });

  test('describes the access, the path parameters and the replies of each operation', async () => {
    const { paths } = await documented();
    const ids = new Set<string>();
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        // Headers that many operations take stand once, in components.
        const parameters: { in: string; name: string; description?: string }[] = (
          operation.parameters ?? []
        ).filter((one: object) => !('$ref' in one));
        const unexplained = parameters.filter((one) => one.description === undefined);
        expect([path, unexplained]).toEqual([path, []]);
        const described = parameters.filter((one) => one.in === 'path').map((one) => one.name);
        expect([method, path, described.sort()]).toEqual([method, path, named.sort()]);
        expect(operation.summary).toEqual(expect.stringMatching(/\S/));
        expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
        expect(operation.security.length).toBeGreaterThan(0);
        ids.add(operation.operationId);
      }
    }
    expect(ids.size).toBe(Object.values(paths).flatMap((methods) => Object.keys(methods)).length);
  });

  test('states in words who may call each operation', async () => {
    const { paths } = await documented();
    const words = (path: string, method: string): string => paths[path]?.[method].description;
    expect(words('/api/v1/products', 'post')).toMatch(/^\*\*Admins only\.\*\*/);
    expect(words('/api/v1/products', 'get')).toMatch(/^No authentication required\./);
    expect(words('/api/v1/users/me', 'get')).toMatch(/^\*\*Signed-in users only\.\*\*/);
    expect(words('/api/v1/orders/{number}', 'get')).toMatch(/^\*\*The order's owner, anyone with/);
  });

  test('lists the tags, each with a description and operations', async () => {
    const { body } = await api().get('/openapi.json');
    const described: string[] = body.tags.map((tag: { name: string }) => tag.name);
    const used = apiRouters().flatMap((router) => router.endpoints.map((endpoint) => endpoint.tag));
    expect([...described].sort()).toEqual([...new Set(used)].sort());
  });

  test('lists exactly the search attributes of each list', async () => {
    const { paths } = await documented();
    const parameters: { name: string; description: string }[] = paths['/api/v1/products']?.['get'].parameters;
    const q = parameters.find(({ name }) => name === 'q')?.description ?? '';
    expect(q).toMatch(/`name` `description` `slug` `meta_keywords`(?: `\w+`)* \(text\)/);
    expect(q).toContain('- `master_` before `cost_price` (admins only)');
    expect(q).toContain('- `sku`: short for `master_sku`');
  });

  test('documents the headers of each refusal, also of operations with a refusal of their own', async () => {
    const { body } = await api().get('/openapi.json');
    const lacking = Object.entries<Record<string, any>>(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) => {
        const { $ref, headers } = responses['422'];
        const shown = $ref === undefined ? headers : body.components.responses[$ref.split('/').pop()].headers;
        const isShown = ['X-Error-Code', 'X-Request-Id', 'Idempotency-Replayed'].every(
          (name) => name in shown,
        );
        return isShown ? [] : [`${method} ${path}`];
      }),
    );
    expect(lacking).toEqual([]);
  });

  test('documents the headers of a list', async () => {
    const { paths } = await documented();
    const headers = paths['/api/v1/products']?.['get']?.responses['200'].headers ?? {};
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['X-Total-Count', 'X-Pages', 'Link', 'X-Ignored-Conditions', 'ETag']),
    );
    const reply = await api().get('/products?q[nothing_eq]=1&nothing=1');
    // Sent only while the database is unavailable.
    const names = Object.keys(headers).filter((name) => name !== 'X-Stale');
    for (const name of names) expect(reply.headers).toHaveProperty([name.toLowerCase()]);
  });

  test('documents the name of a file, which pages of other origins may read, and no pages of it', async () => {
    const { paths } = await documented();
    const files = Object.entries<any>(paths).filter(([path]) => /\.(csv|pdf|zip)$/.test(path));
    const lacking = files.filter(([, { get }]) => !('Content-Disposition' in get.responses['200'].headers));
    const paged = files.filter(([, { get }]) => get.parameters.some(({ name }: any) => name === 'page'));
    expect([files.length >= 20, lacking, paged]).toEqual([true, [], []]);
    const { headers } = await (await asAdmin()).get('/documents.csv');
    expect(headers['content-disposition']).toBe('attachment; filename="documents.csv"');
    expect(headers['access-control-expose-headers']).toContain('Content-Disposition');
  });

  test('declares the parameters of a list as generated clients send them', async () => {
    const { paths } = await documented();
    const of = (path: string) =>
      Object.fromEntries(
        (paths[path]?.['get']?.parameters ?? [])
          .filter((one: { in?: string }) => one.in === 'query')
          .map(({ name, style = 'form', explode = true, schema, example }: any) => [
            name,
            [style, explode, schema.type, example ?? schema.examples?.[0]],
          ]),
      );
    expect(of('/api/v1/products')).toMatchObject({
      q: ['deepObject', true, 'object', { name_cont: 'mug', s: 'name desc' }],
      option: ['deepObject', true, 'object', { color: 'navy,blue' }],
      property: ['deepObject', true, 'object', { material: 'cotton,linen' }],
      facets: ['form', true, 'string', 'options,taxons,price'],
      fields: ['form', true, 'string', 'id,name'],
      ids: ['form', true, 'array', [1, 2]],
    });
    expect(JSON.stringify(Object.keys(paths).map(of))).not.toContain('null"');
  });

  test('has no broken references and no unused components', async () => {
    const { body } = await api().get('/openapi.json');
    const references = new Set(JSON.stringify(body).match(/#\/components\/[^"]+/g));
    const parts = ['schemas', 'responses', 'headers', 'parameters'].flatMap((kind) =>
      Object.keys(body.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...references].filter((reference) => !parts.includes(reference))).toEqual([]);
    expect(parts.filter((part) => !references.has(part))).toEqual([]);
  });

  test.each(['/nothing', '/openapi.json/x', '/users/1/2/3/4'])('%s is JSON 404', async (path) => {
    const reply = await api().get(path);
    expect(reply.status).toBe(404);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.body).toEqual({ error: 'The resource you were looking for could not be found.' });
  });
});

describe('its examples', () => {
  const endpoints = apiRouters().flatMap((router) => router.endpoints);
  const document = buildDocument(endpoints, storeReference);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ ...document, $id: 'store.json' });

  const problemsOf = (schema: string, value: unknown): string[] => {
    const validate = ajv.compile({ $ref: `store.json#/components/schemas/${schema}` });
    validate(value);
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };

  test.each(Object.keys(storeReference.replyExamples))('%s is a reply that matches its schema', (id) => {
    expect(problemsOf(id, storeReference.replyExamples[id])).toEqual([]);
  });

  test('have a reply for every record that can be created', () => {
    const paths = new Set(endpoints.map(({ path }) => path));
    const created = endpoints.filter(
      ({ method, path, sameAs }) => method === 'post' && sameAs === undefined && paths.has(`${path}/new`),
    );
    const names = created.map(({ path }) => {
      const { responses } = (document['paths'] as any)[toDocumentPath(path)].post;
      const { schema } = (responses[201] ?? responses[200]).content['application/json'];
      return String(schema.$ref).split('/').at(-1) ?? '';
    });
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !(name in storeReference.replyExamples))).toEqual([]);
  });

  const shown = Object.entries(storeReference.requestExamples);

  test.each(shown)('the body for %s is valid for the endpoint and matches the document', (route, body) => {
    const endpoint = endpoints.find((candidate) => candidate.route === route);
    expect(endpoint?.input?.safeParse(body).error?.issues ?? []).toEqual([]);
    const operation = (document['paths'] as any)[toDocumentPath(endpoint?.path ?? '')][
      endpoint?.method ?? ''
    ];
    const { schema, example } = operation.requestBody.content['application/json'];
    expect(example).toEqual(body);
    const problems = problemsOf(String(schema.$ref).split('/').at(-1) ?? '', body);
    expect(problems).toEqual([]);
    expect(unknownKeys(schemaOf(schema.$ref), body)).toEqual([]);
  });

  test('have a body for every operation that accepts one', () => {
    const shownInputs = new Set(
      endpoints.filter(({ route }) => route in storeReference.requestExamples).map(({ input }) => input),
    );
    const without = endpoints.filter(
      ({ input, upload, method }) =>
        input !== undefined && !(upload !== undefined && method === 'post') && !shownInputs.has(input),
    );
    const takesOnlyAFile = ({ method, path }: (typeof without)[number]) => {
      const { content } = (document['paths'] as any)[toDocumentPath(path)][method].requestBody;
      return Object.keys(content).join() === 'multipart/form-data';
    };
    expect(without.filter((one) => !takesOnlyAFile(one)).map(({ route }) => route)).toEqual([]);
  });

  test('and error codes belong to existing routes', () => {
    const routes = new Set<string>(endpoints.map(({ route }) => route));
    const { routes: ofRoutes, queries, madeBy } = storeReference.parameterExamples;
    const named = [storeReference.requestExamples, storeReference.errorCodes, ofRoutes, queries, madeBy];
    const missing = [
      ...named.flatMap((table) => Object.keys(table)),
      ...Object.values(madeBy).filter((route) => route !== undefined),
    ];
    expect(missing.filter((route) => !routes.has(route))).toEqual([]);
  });

  function schemaOf(reference: string): any {
    return (document['components'] as any).schemas[reference.split('/').at(-1) ?? ''];
  }

  /** Returns the keys of a body that are not in its schema; the endpoint would ignore them. */
  function unknownKeys(schema: any, body: unknown): string[] {
    if (Array.isArray(body)) return body.flatMap((entry) => unknownKeys(schema?.items, entry));
    if (!isRecord(body)) return [];
    const described = schema?.$ref === undefined ? schema : schemaOf(schema.$ref);
    if (described?.properties === undefined) return [];
    return Object.entries(body).flatMap(([key, value]) =>
      key in described.properties ? unknownKeys(described.properties[key], value) : [key],
    );
  }
});
