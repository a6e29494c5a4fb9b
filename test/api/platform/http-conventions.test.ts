import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import request, { type Response } from 'supertest';
import { authenticate } from '../../../src/accounts/authenticate';
import { buildApp } from '../../../src/app';
import { anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { unique } from '../../support/unique';
import { NOT_FOUND } from '../../support/error-bodies';
import { listen } from '../../support/listen';

/** Sends requests that the API client of the tests cannot send. */
const sendRaw = () => request(testApp().app);
const url = (path: string) => `/api/v1${path}`;

async function admin() {
  const { token } = await anAdmin();
  return { token: token ?? '', client: api({ token: token ?? '' }) };
}

/** Creates a property as an example of any resource. Returns the token of its admin too. */
async function aProperty() {
  const { token, client } = await admin();
  const { body } = await client.post('/properties', { property: { name: unique('p'), presentation: 'old' } });
  return { token, path: `/properties/${body.id}` };
}

describe('parameters', () => {
  const wanted = { presentation: 'Fit' };

  test('are accepted in the query, a form, multipart and JSON, with or without their wrapper', async () => {
    const { token } = await admin();
    const post = () => sendRaw().post(url('/properties')).set('X-Store-Token', token);
    const name = () => unique('p');
    const replies: Response[] = [
      await post().query(`property[name]=${name()}&property[presentation]=Fit`),
      await post().type('form').send(`property[name]=${name()}&property[presentation]=Fit`),
      await post().field('property[name]', name()).field('property[presentation]', 'Fit'),
      await post().send({ property: { name: name(), ...wanted } }),
      await post().send({ name: name(), ...wanted }),
      await post()
        .type('application/vnd.api+json')
        .send(JSON.stringify({ name: name(), ...wanted })),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(201);
      expect(reply.body).toMatchObject(wanted);
    }
  });

  test('merge deeply: the path overrides the body, the body overrides the query', async () => {
    const { token, path } = await aProperty();
    const reply = await sendRaw()
      .put(url(`${path}?property[presentation]=query&property[name]=${unique('q')}&id=1`))
      .set('X-Store-Token', token)
      .send({ property: { presentation: 'body', bogus: 1 }, id: 2 });
    expect(reply.body).toMatchObject({ presentation: 'body', name: expect.stringMatching(/^q-/) });
    expect(path).toBe(`/properties/${reply.body.id}`);
  });

  test('a repeated scalar keeps the last value; prototype keys are dropped', async () => {
    const { token, path } = await aProperty();
    const reply = await sendRaw()
      .put(url(`${path}?property[presentation]=a&property[presentation]=b&property[__proto__][name]=c`))
      .set('X-Store-Token', token);
    expect(reply.body).toMatchObject({ presentation: 'b', name: expect.stringMatching(/^p-/) });
  });

  test.each([
    ['JSON that does not parse', 'application/json', '{"a":', 400],
    ['a body that is not an object', 'application/json', '"text"', 400],
    ['more than 10 levels', 'application/json', '{"a":'.repeat(12) + '1' + '}'.repeat(12), 400],
    ['more than a mebibyte', 'application/json', JSON.stringify({ a: 'x'.repeat(1_100_000) }), 413],
    ['more than 10 levels of brackets', 'application/x-www-form-urlencoded', `a${'[b]'.repeat(12)}=1`, 400],
    ['an unknown character set', 'application/json; charset=bogus', '{}', 400],
  ])('%s returns an error in JSON', async (_what, type, body, status) => {
    const { token } = await admin();
    const reply = await sendRaw()
      .post(url('/properties'))
      .set('X-Store-Token', token)
      .set('Content-Type', type)
      .send(body);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual(expect.objectContaining({ error: expect.any(String) }));
  });
});

describe('methods', () => {
  test.each<[string, { type: string; body: string; header?: string }]>([
    ['_method in a form', { type: 'form', body: '_method=put&property[presentation]=new' }],
    ['_method in JSON', { type: 'json', body: '{"_method":"PATCH","property":{"presentation":"new"}}' }],
    ['X-HTTP-Method-Override', { type: 'json', body: '{"property":{"presentation":"new"}}', header: 'put' }],
  ])('%s changes the method of a POST', async (_how, { type, body, header }) => {
    const { token, path } = await aProperty();
    const test = sendRaw().post(url(path)).set('X-Store-Token', token).type(type);
    if (header !== undefined) void test.set('X-HTTP-Method-Override', header);
    const reply = await test.send(body);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ presentation: 'new' });
  });

  test('only a POST can be changed, and only to a writing method', async () => {
    const { token, path } = await aProperty();
    const get = sendRaw().get(url(path)).set('X-Store-Token', token).set('X-HTTP-Method-Override', 'DELETE');
    expect((await get).status).toBe(200);
    const post = sendRaw().post(url(path)).set('X-Store-Token', token).type('form').send('_method=get');
    expect((await post).body).toEqual(NOT_FOUND);
  });

  test('HEAD is GET without its body', async () => {
    const reply = await sendRaw().head(url('/countries?per_page=1'));
    expect(reply.status).toBe(200);
    expect(reply.text ?? '').toBe('');
    expect(Number(reply.headers['x-total-count'])).toBeGreaterThan(200);
  });

  test('DELETE returns no body and no Content-Type', async () => {
    const { token, path } = await aProperty();
    const reply = await sendRaw().delete(url(path)).set('X-Store-Token', token);
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([204, '', undefined]);
  });
});

describe('paths', () => {
  test.each(['.json', '/', '.json/', '//'])('may end in "%s"', async (ending) => {
    expect((await sendRaw().get(url(`/countries${ending}`))).status).toBe(200);
  });

  test('lose only one .json', async () => {
    const { client } = await admin();
    const name = `${unique('p')}.json`;
    await client.post('/properties', { property: { name, presentation: 'x' } });
    expect((await sendRaw().get(url(`/properties/${name}.json`))).body).toMatchObject({ name });
  });

  test.each([
    ...[
      'get /',
      'get /nothing',
      'post /countries',
      'delete /products',
      'patch /products',
      'get /products/1/2/3',
    ],
    ...['get /countries/abc', 'get /countries/0', 'get /countries/99999999999999', 'get /countries/1.5'],
    ...['get /countries/%00', 'get /products/%ff', 'get /products/%E0%A4%A', 'put /properties/%'],
    ...[`get /products/${'x'.repeat(300)}`, 'get /products/..%2f..%2fetc'],
  ])('unknown paths return 404 for every actor: %s', async (route) => {
    const { token } = await admin();
    const [method = '', path = ''] = route.split(' ');
    const reply = await sendRaw()[method as 'get'](url(path)).set('X-Store-Token', token);
    expect([reply.status, reply.body]).toEqual([404, NOT_FOUND]);
  });
});

describe('tokens', () => {
  test('are accepted in the header or as a parameter', async () => {
    const { token } = await admin();
    expect((await sendRaw().get(url(`/users?token=${token}`))).status).toBe(200);
    expect((await sendRaw().get(url('/users')).send({ token })).status).toBe(200);
    expect((await sendRaw().get(url('/users'))).status).toBe(401);
  });

  test('an unknown token returns 401 on public reads too, with part of the token', async () => {
    const reply = await sendRaw().get(url('/countries')).set('X-Store-Token', 'k'.repeat(100));
    expect(reply.status).toBe(401);
    expect(reply.body).toEqual({ error: `Invalid API key (${'k'.repeat(64)}) specified.` });
  });

  test.each(['token[]=a', 'token[a]=b', 'token='])('%s is not a token', async (query) => {
    expect((await sendRaw().get(url(`/countries?per_page=1&${query}`))).status).toBe(200);
  });
});

describe('browsers', () => {
  const HEADERS = {
    'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'access-control-allow-origin': '*',
  };

  test.each(['/countries/1', '/nothing', '/orders', '/countries/%ff'])(
    'every reply has the security and CORS headers: %s',
    async (path) => {
      const reply = await sendRaw().get(url(path)).set('Origin', 'https://shop.example');
      expect(reply.headers).toMatchObject(HEADERS);
      expect(reply.headers['x-powered-by']).toBeUndefined();
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(reply.headers['access-control-expose-headers']).toContain('X-Total-Count');
    },
  );

  test.each([
    ['over TLS', 1, 'https', 'max-age=31536000; includeSubDomains'],
    ['without TLS', 1, 'http', undefined],
    ['through an untrusted proxy', 0, 'https', undefined],
  ])(
    'Strict-Transport-Security depends on the protocol: %s',
    async (_how, trustProxy, protocol, expected) => {
      const { deps } = testApp();
      const app = buildApp({ deps, authenticate, corsOrigins: ['*'], trustProxy });
      const reply = await request(app).get(url('/countries/1')).set('X-Forwarded-Proto', protocol);
      expect(reply.headers['strict-transport-security']).toBe(expected);
    },
  );

  test('a preflight request allows the token headers', async () => {
    const reply = await sendRaw()
      .options(url('/products/1'))
      .set('Origin', 'https://shop.example')
      .set('Access-Control-Request-Method', 'PATCH')
      .set('Access-Control-Request-Headers', 'x-store-token,x-order-token');
    expect(reply.status).toBe(204);
    expect(reply.headers['access-control-allow-methods']).toContain('PATCH');
    expect(reply.headers['access-control-allow-headers']).toContain('x-store-token');
  });

  test('an origin outside CORS_ORIGINS gets no CORS headers', async () => {
    const { app } = makeTestApp({}, { corsOrigins: ['https://shop.example'] });
    const getAllowedOrigin = async (origin: string) =>
      (await request(app).get(url('/config')).set('Origin', origin)).headers['access-control-allow-origin'];
    expect(await getAllowedOrigin('https://shop.example')).toBe('https://shop.example');
    expect(await getAllowedOrigin('https://evil.example')).toBeUndefined();
  });
});

test.each(['/countries?per_page=2', '/option_types', '/products?per_page=1'])(
  'an unchanged resource returns 304: %s',
  async (path) => {
    const first = await sendRaw().get(url(path));
    expect(first.headers['cache-control']).toBe('no-cache');
    const again = await sendRaw()
      .get(url(path))
      .set('If-None-Match', first.headers['etag'] ?? '');
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await sendRaw().get(url(path)).set('If-None-Match', '"another"');
    expect(other.status).toBe(200);
  },
);

test('an unchanged resource returns 304 to `fetch`, which sends `Cache-Control: no-cache` with an ETag', async () => {
  const store = await listen(testApp().app);
  const address = `${store.url}/api/v1/countries?per_page=2`;
  const etag = (await fetch(address)).headers.get('ETag') ?? '';
  const replies = [
    await fetch(address, { headers: { 'If-None-Match': etag } }),
    await fetch(address, { headers: { 'If-None-Match': '"another"' } }),
  ];
  await store.close();
  expect(replies.map(({ status }) => status)).toEqual([304, 200]);
});

test('errors are not cached', async () => {
  expect((await sendRaw().get(url('/countries/abc'))).headers['cache-control']).toBe('no-store');
});

describe('files of the shop and the back office whose names have a hash of their content', () => {
  const script = `/* ${'long '.repeat(1000)} */`;
  const folders = ['shop-files', 'office-files'];
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'store-faces-'));
    for (const name of folders) mkdirSync(path.join(folder, 'client', name), { recursive: true });
    writeFileSync(path.join(folder, 'client/index.html'), '');
    for (const name of folders) {
      const file = path.join(folder, 'client', name, 'main-1a2b.js');
      writeFileSync(file, script);
      writeFileSync(`${file}.gz`, gzipSync(script));
      writeFileSync(`${file}.br`, brotliCompressSync(script));
    }
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['/shop-files', '/admin/office-files'])(
    '%s are kept for a year, and compressed once',
    async (base) => {
      const { app } = makeTestApp({}, { shop: folder, office: folder });
      const read = (encoding: string) =>
        request(app)
          .get(`${base}/main-1a2b.js`)
          .set('Accept-Encoding', encoding)
          .buffer(true)
          .parse((reply, done) => {
            const chunks: Buffer[] = [];
            reply.on('data', (chunk: Buffer) => chunks.push(chunk));
            reply.on('end', () => done(null, Buffer.concat(chunks)));
          });
      for (const [accepted, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['identity', undefined],
      ] as const) {
        const { status, headers, body } = await read(accepted);
        expect([status, headers['content-encoding']]).toEqual([200, encoding]);
        expect([headers['cache-control'], headers['content-type']?.toLowerCase()]).toEqual([
          'public, max-age=31536000, immutable',
          'text/javascript; charset=utf-8',
        ]);
        expect(headers['vary']).toContain('Accept-Encoding');
        // The client decompresses one encoding; another one would remain.
        expect([encoding, Buffer.from(script).equals(body)]).toEqual([encoding, true]);
      }
    },
  );

  test.each([
    ['/shop-files', '.br'],
    ['/admin/office-files', '.br'],
    ['/admin/office-files', ''],
  ])('%s: a file%s that a new build has removed is not found', async (base, extension) => {
    const file = path.join(folder, 'client', path.basename(base), 'old-3c4d.js');
    for (const end of ['', '.br']) writeFileSync(`${file}${end}`, script);
    const { app } = makeTestApp({}, { shop: folder, office: folder });
    rmSync(`${file}${extension}`);
    const accepted = extension === '' ? 'identity' : 'br';
    const reply = await request(app).get(`${base}/old-3c4d.js`).set('Accept-Encoding', accepted);
    expect([reply.status, reply.headers['content-encoding'], reply.type]).toEqual([
      404,
      undefined,
      'application/json',
    ]);
  });

  test('leave the address of a page to the back office', async () => {
    const { app } = makeTestApp({}, { shop: folder, office: folder });
    const { status, headers } = await request(app).get('/admin/files');
    expect([status, headers['content-security-policy']]).toEqual([200, expect.stringContaining("'self'")]);
  });

  test.each(['/shop-files', '/admin/office-files'])(
    '%s: the replies to odd requests can be read',
    async (base) => {
      const { app } = makeTestApp({}, { shop: folder, office: folder });
      const read = (name: string, range: string) =>
        request(app).get(`${base}/${name}`).set('Accept-Encoding', 'br').set('Range', range);
      const malformed = await read('%ff', '');
      expect([malformed.status, malformed.type]).toEqual([404, 'application/json']);
      for (const range of ['bytes=5-2', 'bytes=99999999-', 'bytes=0-1', 'lines=1']) {
        const { status, headers } = await read('main-1a2b.js', range);
        expect([range, status, headers['content-range']]).toEqual([range, 200, undefined]);
      }
      const other = await read('main-1a2b.js', '').set('If-Match', '"other"');
      expect([other.status, other.headers['content-encoding'], other.type]).toEqual([
        400,
        undefined,
        'application/json',
      ]);
    },
  );
});
