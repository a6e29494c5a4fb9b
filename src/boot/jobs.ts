import { loadDemoOrders } from '../../seeds/demo/orders';
import { foldCatalogRevisions } from '../catalog/catalog-revisions.repository';
import { startWebhooks } from '../events/webhooks/deliver-webhooks';
import { publishEvents } from '../events/publish-events';
import { IMPORT_LANES } from '../exchange/imports/import-kinds';
import { runImports } from '../exchange/imports/run-import';
import { refreshSearchLanguage } from '../catalog/product-queries/search-upkeep.job';
import type { Deps } from '../sales/context';
import { startJob, type Job } from '../platform/jobs';
import { countUnitsSold, startSalesCount } from '../sales/orders/count-units-sold.job';
import { recorders } from '../sales/payments/recorders';
import { settleInterruptedPayments } from '../sales/payment-processing/settle-interrupted-payments.job';
import { nameJob } from './tasks';

const SECOND_MS = 1000;

/**
 * Starts the work that is due within seconds, in each process that works. Everything in it is safe on several instances at
 * once: they claim what they work on, or write the same. What is due less often are tasks of the queue (`tasks.ts`), whose
 * time table has minutes, and whose jobs wait when a killed worker has held them. Stop it before the database.
 * @param options.hasDemo whether to create the orders of the demo store, which would take too long before startup
 */
export function startJobs(
  deps: Deps,
  isRunning: () => boolean,
  { hasDemo = false }: { hasDemo?: boolean } = {},
): Job[] {
  const { log } = deps;
  const unitsSold = startSalesCount();
  return [
    ...(hasDemo ? [startDemoOrders(deps, isRunning)] : []),
    startJob({ name: 'settle interrupted payments', everyMs: 2 * SECOND_MS, log }, () =>
      settleInterruptedPayments(nameJob(deps, 'settle interrupted payments'), recorders),
    ),
    startJob({ name: 'publish events', everyMs: SECOND_MS, log }, () => publishEvents(deps, { isRunning })),
    startWebhooks(deps, isRunning),
    startJob({ name: 'fold catalog revisions', everyMs: 2 * SECOND_MS, log }, () =>
      foldCatalogRevisions(deps.db),
    ),
    ...IMPORT_LANES.map((kinds) =>
      startJob({ name: 'run imports', everyMs: SECOND_MS, log }, () =>
        runImports(nameJob(deps, 'run imports'), { isRunning, kinds }),
      ),
    ),
    startJob({ name: 'refresh the language of search documents', everyMs: 30 * SECOND_MS, log }, () =>
      refreshSearchLanguage(deps.db, isRunning),
    ),
    startJob({ name: 'count units sold', everyMs: 20 * SECOND_MS, log }, () =>
      countUnitsSold(deps, unitsSold),
    ),
  ];
}

function startDemoOrders(deps: Deps, isRunning: () => boolean): Job {
  const { log } = deps;
  let isDone = false;
  return startJob({ name: 'load demo orders', everyMs: 10 * SECOND_MS, log }, async () => {
    if (isDone) return;
    const orders = await loadDemoOrders(deps, isRunning);
    isDone = true;
    if (orders !== null) log.info({ orders }, 'demo orders created');
  });
}
