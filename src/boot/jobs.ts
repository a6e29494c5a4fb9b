import { loadDemoOrders } from '../../seeds/demo/orders';
import { foldCatalogRevisions } from '../catalog/catalog-replies';
import { removeUnreferencedFiles } from '../catalog/images/remove-unreferenced-files.job';
import type { Deps } from '../sales/context';
import { startJob, type Job } from '../platform/jobs';
import { recordCompletionAnswer } from '../sales/checkout/take-step';
import type { OperationPurpose } from '../sales/payment-processing/payment-operations.repository';
import { recordPaymentAnswer, type Recorder } from '../sales/payment-processing/payment-processing';
import { settleInterruptedPayments } from '../sales/payment-processing/settle-interrupted-payments.job';

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;

/** Who goes on when the answer of a gateway is known at last, by what waits for it. */
export const recorders: Readonly<Record<OperationPurpose, Recorder<unknown>>> = {
  payment: recordPaymentAnswer,
  cancel_order: recordPaymentAnswer,
  complete_order: recordCompletionAnswer,
};

/**
 * What the program does at its start, and again and again beside its requests. To be stopped before its database.
 * `fillsDemo`: the orders of a demo store are made after the store has opened, which they would keep closed for long.
 */
export function startJobs(
  deps: Deps,
  isRunning: () => boolean,
  { fillsDemo = false }: { fillsDemo?: boolean } = {},
): Job[] {
  const { log } = deps;
  return [
    ...(fillsDemo ? [startDemoOrders(deps, isRunning)] : []),
    startJob({ name: 'settle interrupted payments', everyMs: 2 * SECOND_MS, log }, () =>
      settleInterruptedPayments(deps, recorders),
    ),
    startJob({ name: 'fold catalog revisions', everyMs: 2 * SECOND_MS, log }, () =>
      foldCatalogRevisions(deps.db),
    ),
    startJob({ name: 'remove unreferenced files', everyMs: HOUR_MS, log }, () =>
      removeUnreferencedFiles(deps, isRunning),
    ),
  ];
}

function startDemoOrders(deps: Deps, isRunning: () => boolean): Job {
  const { log } = deps;
  let isDone = false;
  return startJob({ name: 'load demo orders', everyMs: 10 * SECOND_MS, log }, async () => {
    if (isDone) return;
    const made = await loadDemoOrders(deps, isRunning);
    isDone = true;
    if (made !== null) log.info({ orders: made }, 'the orders of the demo store were made');
  });
}
