/**
 * Runs a store that kills itself (kill -9) during a call to its gateway: after the operation is committed,
 * before its result is known. Argument: the task as JSON.
 */
import { pino } from 'pino';
import type { Ctx } from '../../src/sales/context';
import { GUEST } from '../../src/access/actor';
import { connectDatabase } from '../../src/platform/database/knex';
import { createRateLimits } from '../../src/platform/rate-limits';
import { createLocalDisk } from '../../src/platform/storage/local-disk';
import { takeNextStep } from '../../src/sales/checkout/checkout.service';
import { createVariantStock } from '../../src/inventory/variant-stock';
import { fillBackorders } from '../../src/sales/fulfilment/fill-backorders';
import { performPaymentAction } from '../../src/sales/payments/payment-actions.service';
import { createOrderTurns } from '../../src/sales/order/order-turns';
import { buildBogusGateway } from './gateways';
import { testMailer } from './mail';

export type Task =
  | { do: 'complete'; number: string; orderToken: string }
  | { do: 'capture'; number: string; orderToken: string; id: string };

const log = pino({ level: 'silent' });

function killThisProcess(): never {
  process.kill(process.pid, 'SIGKILL');
  // Blocks until the signal ends the process.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

async function run(url: string, errand: Task): Promise<void> {
  const db = connectDatabase({ url, poolSize: 2, log });
  const ctx: Ctx = {
    db,
    mailer: testMailer(),
    limits: createRateLimits(db, 0),
    log,
    now: () => new Date(),
    storage: createLocalDisk('/nonexistent'),
    variantStock: createVariantStock,
    onBackordersFilled: fillBackorders,
    gateways: buildBogusGateway({ authorize: killThisProcess, capture: killThisProcess }),
    secret: Buffer.alloc(32),
    orderTurns: createOrderTurns(),
    actor: GUEST,
    orderToken: errand.orderToken,
    requestId: '',
    clientAddress: '',
  };
  if (errand.do === 'complete') await takeNextStep(ctx, errand.number);
  else await performPaymentAction(ctx, { number: errand.number, id: errand.id }, { event: 'capture' });
}

void run(process.env['STORE_URL'] ?? '', JSON.parse(process.argv[2] ?? '{}') as Task); // Written by the test that starts it.
