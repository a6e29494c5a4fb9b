/**
 * A store that is killed (kill -9) after the effect of a request is committed and before its reply. Argument: that
 * request, as JSON.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { authenticate } from '../../src/accounts/authenticate';
import { buildApp } from '../../src/app';
import { connectDatabase } from '../../src/platform/database/knex';
import { createLocalDisk } from '../../src/platform/storage/local-disk';
import { createRateLimits } from '../../src/platform/rate-limits';
import { createVariantStock } from '../../src/inventory/variant-stock';
import { fillBackorders } from '../../src/sales/fulfilment/fill-backorders';
import { builtInGateways } from '../../src/sales/payment-processing/gateways/registry';
import { createOrderTurns } from '../../src/sales/order/order-turns';
import { fetchOptions, type FatalRequest } from './fatal-request';
import { testMailer } from './mail';

async function run(url: string, fatal: FatalRequest): Promise<void> {
  const log = pino({ level: 'silent' });
  const db = connectDatabase({ url, poolSize: 4, log });
  db.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('INSERT INTO idempotency_replies')) process.kill(process.pid, 'SIGKILL');
  });
  const deps = {
    ...{ db, log, now: () => new Date(), storage: createLocalDisk(process.env['STORE_FILES'] ?? '') },
    ...{
      variantStock: createVariantStock,
      onBackordersFilled: fillBackorders,
      gateways: builtInGateways,
      orderTurns: createOrderTurns(),
    },
    mailer: testMailer(),
    limits: createRateLimits(db, 0),
    secret: Buffer.alloc(32, 'test'),
  };
  const server = createServer(buildApp({ deps, authenticate, corsOrigins: ['*'] }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1${fatal.path}`, fetchOptions(fatal));
  process.stderr.write(`survived: ${reply.status} ${await reply.text()}\n`);
  process.exit(1);
}

void run(process.env['STORE_URL'] ?? '', JSON.parse(process.argv[2] ?? '{}') as FatalRequest); // written by killed-before-reply.slow.test.ts
