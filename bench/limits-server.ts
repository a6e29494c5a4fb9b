/**
 * The baseline, a plain program built on Express and pg: GET /bytes sends the file BYTES with an ETag, and
 * GET /row runs one indexed SELECT of one row in DATABASE_URL. There is no middleware and no log.
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
  // The address of a TCP server is always an AddressInfo.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
