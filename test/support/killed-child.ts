/**
 * A store that is killed (kill -9) in the middle of a call to its gateway: when the intent is committed, and before
 * anybody knows the outcome. Argument: what to do, as JSON.
 */
import { pino } from 'pino';
import type { Ctx } from '../../src/sales/context';
import { GUEST } from '../../src/access/actor';
import { connectDatabase } from '../../src/platform/database/knex';
import { createLocalDisk } from '../../src/platform/storage/local-disk';
import { takeNextStep } from '../../src/sales/checkout/checkout.service';
import { fillBackorders } from '../../src/sales/fulfilment/fill-backorders';
import { performPaymentAction } from '../../src/sales/payments/payments.service';
import { buildBogusGateway } from './gateways';

export type Task =
  | { do: 'complete'; number: string; orderToken: string }
  | { do: 'capture'; number: string; orderToken: string; id: string };

const log = pino({ level: 'silent' });

function killThisProcess(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal ends the process before it gets any further.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

async function run(url: string, errand: Task): Promise<void> {
  const ctx: Ctx = {
    db: connectDatabase({ url, poolSize: 2, log }),
    log,
    now: () => new Date(),
    storage: createLocalDisk('/nonexistent'),
    onBackordersFilled: fillBackorders,
    gateways: buildBogusGateway({ authorize: killThisProcess, capture: killThisProcess }),
    secret: Buffer.alloc(32),
    actor: GUEST,
    orderToken: errand.orderToken,
    requestId: '',
    clientAddress: '',
  };
  if (errand.do === 'complete') await takeNextStep(ctx, errand.number);
  else await performPaymentAction(ctx, { number: errand.number, id: errand.id }, { event: 'capture' });
}

void run(process.env['STORE_URL'] ?? '', JSON.parse(process.argv[2] ?? '{}') as Task); // written by the test beside it
