/**
 * What nothing built on Express and pg can be faster than: GET /bytes sends the file BYTES with an ETag, GET /row does
 * one indexed SELECT of one row of DATABASE_URL. No middleware, no log.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Pool } from 'pg';

const bytes = readFileSync(process.env['BYTES'] ?? '');
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const app = express();

app.get('/bytes', (_request, response) => {
  response.set('ETag', '"the-same"').type('json').send(bytes);
});
app.get('/row', async (_request, response) => {
  const { rows } = await pool.query<object>('SELECT * FROM products WHERE id = $1', [1]);
  response.json(rows[0]);
});

const server = app.listen(0, '127.0.0.1', () => {
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
