import type { RequestListener } from 'node:http';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { authenticate } from '../src/accounts/authenticate';
import { buildApp } from '../src/app';
import { filesFolder } from '../src/config';
import { listen } from '../src/platform/http/http-server';
import { localDisk } from '../src/platform/storage/local-disk';
import { fillBackorders } from '../src/sales/fulfilment/fill-backorders';
import { builtInGateways } from '../src/sales/payment-processing/gateways/registry';
import { withDb } from './databases';

/** The store inside this process: too slow to measure, but its statements can be counted. */
export interface CountedStore {
  url: string;
  /** How many statements, BEGIN and COMMIT among them, it has sent so far. */
  statements: () => number;
}

/** Lends a store that is stopped when `work` has ended. */
export async function withCountedStore<T>(
  { databaseUrl, folder }: { databaseUrl: string; folder: string },
  work: (store: CountedStore) => Promise<T>,
): Promise<T> {
  return withDb(databaseUrl, async (db) => {
    let sent = 0;
    db.on('query', () => {
      sent += 1;
    });
    const server = await listen({ handler: appOn(db, folder), host: '127.0.0.1', port: 0 });
    try {
      return await work({ url: server.url, statements: () => sent });
    } finally {
      await server.stop();
    }
  });
}

function appOn(db: Knex, folder: string): RequestListener {
  return buildApp({
    deps: {
      db,
      log: pino({ level: 'silent' }),
      now: () => new Date(),
      storage: localDisk(filesFolder({ dataDir: folder })),
      onBackordersFilled: fillBackorders,
      gateways: builtInGateways,
      secret: Buffer.alloc(32, 'bench'),
    },
    authenticate,
    corsOrigins: ['*'],
  });
}
