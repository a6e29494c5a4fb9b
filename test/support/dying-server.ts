/**
 * A store that is killed (kill -9) at a moment of a request, by default after its effect is committed and before
 * its reply. Argument: that request, as JSON.
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
import { createOrderTurns } from '../../src/sales/order/order-turns';
import { bogusGateway } from '../../src/sales/payment-processing/gateways/bogus';
import type { Gateway } from '../../src/sales/payment-processing/gateways/gateway';
import { fetchOptions, type FatalRequest, type Moment } from './fatal-request';
import { buildBogusGateway } from './gateways';
import { testMailer } from './mail';

/** A part of the first statement that the server does not send any more. */
const LAST_STATEMENTS: Partial<Record<Moment, string>> = {
  'before the reply': 'INSERT INTO idempotency_replies',
  'before the result': 'UPDATE payment_operations SET state',
};

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // Blocks until the signal ends the process.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** Builds a gateway that dies at this moment, if it is one of the gateway. */
function buildFatalGateway(moment: Moment): Partial<Gateway> {
  if (moment === 'before the gateway') return { authorize: die };
  if (moment !== 'after the gateway') return {};
  const authorize: Gateway['authorize'] = async (request) => {
    await bogusGateway.connect({}).authorize(request);
    return die();
  };
  return { authorize };
}

async function run(url: string, fatal: FatalRequest): Promise<void> {
  const log = pino({ level: 'silent' });
  const db = connectDatabase({ url, poolSize: 4, log });
  const moment = fatal.dies ?? 'before the reply';
  const last = LAST_STATEMENTS[moment];
  db.on('query', ({ sql }: { sql: string }) => {
    if (last !== undefined && sql.includes(last)) die();
  });
  const deps = {
    db,
    log,
    now: () => new Date(),
    storage: createLocalDisk(process.env['STORE_FILES'] ?? ''),
    variantStock: createVariantStock,
    onBackordersFilled: fillBackorders,
    gateways: buildBogusGateway(buildFatalGateway(moment)),
    orderTurns: createOrderTurns(),
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
