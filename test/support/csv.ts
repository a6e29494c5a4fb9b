import { setTimeout as wait } from 'node:timers/promises';
import request from 'supertest';
import { runImports } from '../../src/exchange/imports/run-import';
import { asAdmin, anAdmin } from './accounts.factory';
import { testApp } from './api';

/** Uploads a CSV file to be imported, without running the import. */
export async function uploadCsv(kind: string, csv: string | Buffer, fields: Record<string, string> = {}) {
  return (await asAdmin()).multipart('post', '/imports', {
    fields: { kind, ...fields },
    files: [{ part: 'file', bytes: Buffer.isBuffer(csv) ? csv : Buffer.from(csv), name: `${kind}.csv` }],
  });
}

/** Imports a CSV file. @returns the finished import, with its errors as `line column reason` */
export async function importCsv(
  kind: string,
  csv: string | Buffer,
  fields: Record<string, string> = {},
): Promise<any> {
  const reply = await uploadCsv(kind, csv, fields);
  if (reply.status !== 202) throw new Error(`not imported: ${reply.status} ${reply.text}`);
  const admin = await asAdmin();
  for (;;) {
    await runImports(testApp().deps);
    const { body } = await admin.get(`/imports/${reply.body.id}`);
    if (body.finished_at !== null) {
      const { body: list } = await admin.get(`/imports/${body.id}/errors`);
      const errors = list.errors.map((one: any) => `${one.line} ${one.column} ${one.reason}`);
      return { ...body, errors };
    }
    await wait(20);
  }
}

let exporter: ReturnType<typeof anAdmin> | undefined;

/** Returns an export as text. */
export async function exportCsvText(name: string, search = ''): Promise<string> {
  const { token } = await (exporter ??= anAdmin());
  const reply = await request(testApp().app)
    .get(`/api/v1/exports/${name}.csv?${search}`)
    .set('X-Store-Token', token)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks).toString()));
    });
  if (reply.status !== 200) throw new Error(`not exported: ${reply.status}`);
  return String(reply.body);
}
