import { loadDemoOrders } from '../../seeds/demo/orders';
import { removeUnusedSignIns } from '../accounts/remove-unused-sign-ins.job';
import { foldCatalogRevisions } from '../catalog/catalog-replies';
import { removeUnreferencedFiles } from '../catalog/images/remove-unreferenced-files.job';
import { refreshSearchLanguage, removeUnusedListingSets } from '../catalog/product/search-upkeep.job';
import type { Deps } from '../sales/context';
import { startJob, type Job } from '../platform/jobs';
import { removeExpiredKeys } from '../platform/idempotency/delete-expired-keys.job';
import { deleteAbandonedCarts } from '../sales/orders/delete-abandoned-carts.job';
import { voidAbandonedAuthorizations } from '../sales/orders/void-abandoned-authorizations.job';
import { recorders } from '../sales/payments/recorders';
import { settleInterruptedPayments } from '../sales/payment-processing/settle-interrupted-payments.job';

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;

/**
 * Starts the background jobs. Stop them before the database.
 * @param options.hasDemo whether to create the orders of the demo store, which would take too long before startup
 */
export function startJobs(
  deps: Deps,
  isRunning: () => boolean,
  { hasDemo = false, cartMaxAgeDays = 90 }: { hasDemo?: boolean; cartMaxAgeDays?: number } = {},
): Job[] {
  const { log } = deps;
  return [
    ...(hasDemo ? [startDemoOrders(deps, isRunning)] : []),
    startJob({ name: 'settle interrupted payments', everyMs: 2 * SECOND_MS, log }, () =>
      settleInterruptedPayments(deps, recorders),
    ),
    startJob({ name: 'fold catalog revisions', everyMs: 2 * SECOND_MS, log }, () =>
      foldCatalogRevisions(deps.db),
    ),
    startJob({ name: 'refresh the language of search documents', everyMs: 30 * SECOND_MS, log }, () =>
      refreshSearchLanguage(deps.db, isRunning),
    ),
    startJob({ name: 'remove unused sets of listings', everyMs: HOUR_MS, log }, () =>
      removeUnusedListingSets(deps.db),
    ),
    startJob({ name: 'remove unreferenced files', everyMs: HOUR_MS, log }, () =>
      removeUnreferencedFiles(deps, isRunning),
    ),
    startJob({ name: 'delete abandoned carts', everyMs: HOUR_MS, log }, () =>
      deleteAbandonedCarts(deps, cartMaxAgeDays, isRunning),
    ),
    startJob({ name: 'void authorizations of abandoned carts', everyMs: HOUR_MS, log }, () =>
      voidAbandonedAuthorizations(deps, cartMaxAgeDays, isRunning),
    ),
    startJob({ name: 'delete unused sign-ins', everyMs: HOUR_MS, log }, () =>
      removeUnusedSignIns(deps, isRunning),
    ),
    startJob({ name: 'delete expired idempotency keys', everyMs: HOUR_MS, log }, () =>
      removeExpiredKeys(deps, isRunning),
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
