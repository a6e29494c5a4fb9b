import type { Express } from 'express';
import { apiRouters } from '../../src/app';
import { documentPath } from '../../src/platform/openapi/document';
import { api, testApp } from '../support/api';

interface RouterLayer {
  /** Where it is mounted, as it was written. */
  rawPath: string;
  route?: { path: string; methods: Record<string, boolean> };
  handle: { stack?: RouterLayer[] };
}

/** What Express itself would answer below /api/v1, as `get /api/v1/products/{id}`; read from its routing tables. */
function routesOf(app: Express): string[] {
  // Express publishes no list of routes; these tables are all there is, and their types are not declared.
  const { stack } = (app as unknown as { router: { stack: RouterLayer[] } }).router;
  return stack
    .filter((layer) => layer.rawPath === '/api/v1')
    .flatMap((layer) => layer.handle.stack ?? [])
    .flatMap(({ route }) =>
      route === undefined
        ? []
        : Object.keys(route.methods).map((method) => `${method} ${documentPath(route.path)}`),
    )
    .sort();
}

async function documented(): Promise<{ operations: string[]; paths: Record<string, Record<string, any>> }> {
  const { body } = await api().get('/openapi.json');
  const operations = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  return { operations: operations.sort(), paths: body.paths };
}

describe('the document', () => {
  test('tells of every route, and of none that is not there', async () => {
    const { operations } = await documented();
    expect(operations.length).toBeGreaterThan(apiRouters().length);
    expect(operations).toEqual(routesOf(testApp().app));
  });

  test('describes each operation: who may call, its path parameters, its replies', async () => {
    const { paths } = await documented();
    const ids = new Set<string>();
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        const parameters: { in: string; name: string }[] = operation.parameters ?? [];
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

  test.each(['/nothing', '/openapi.json/x', '/users/1/2/3/4'])('%s is JSON 404', async (path) => {
    const reply = await api().get(path);
    expect(reply.status).toBe(404);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.body).toEqual({ error: 'The resource you were looking for could not be found.' });
  });
});
