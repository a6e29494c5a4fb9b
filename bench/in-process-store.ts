import type { RequestListener } from 'node:http';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { authenticate } from '../src/accounts/authenticate';
import { buildApp } from '../src/app';
import { buildFilesPath } from '../src/config';
import { listen } from '../src/platform/http/http-server';
import { createLocalDisk } from '../src/platform/storage/local-disk';
import { createVariantStock } from '../src/inventory/variant-stock';
import { fillBackorders } from '../src/sales/fulfilment/fill-backorders';
import { createRateLimits } from '../src/platform/rate-limits';
import { builtInGateways } from '../src/sales/payment-processing/gateways/registry';
import { createOrderTurns } from '../src/sales/order/order-turns';
import { withDb } from './databases';
import { testMailer } from '../test/support/mail';

/** A store inside this process, for counting its SQL statements; too slow for measuring times. */
export interface CountedStore {
  url: string;
  /** Returns the number of statements so far, including BEGIN and COMMIT. */
  statements: () => number;
}

/** Runs `work` with a store, which is stopped afterwards. */
export async function withCountedStore<T>(
  { databaseUrl, folder }: { databaseUrl: string; folder: string },
  work: (store: CountedStore) => Promise<T>,
): Promise<T> {
  return withDb(databaseUrl, async (db) => {
    let sent = 0;
    db.on('query', () => {
      sent += 1;
    });
    const server = await listen({ handler: buildBenchApp(db, folder), host: '127.0.0.1', port: 0 });
    try {
      return await work({ url: server.url, statements: () => sent });
    } finally {
      await server.stop();
    }
  });
}

function buildBenchApp(db: Knex, folder: string): RequestListener {
  return buildApp({
    deps: {
      db,
      log: pino({ level: 'silent' }),
      now: () => new Date(),
      storage: createLocalDisk(buildFilesPath({ dataDir: folder })),
      variantStock: createVariantStock,
      onBackordersFilled: fillBackorders,
      gateways: builtInGateways,
      orderTurns: createOrderTurns(),
      mailer: testMailer(),
      limits: createRateLimits(db, 100),
      secret: Buffer.alloc(32, 'bench'),
    },
    authenticate,
    corsOrigins: ['*'],
  });
}
