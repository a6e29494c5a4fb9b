import { buildProgramAuthor } from '../access/authors';
import { loadDemoOrders } from '../../seeds/demo/orders';
import { removeUnusedSignIns } from '../accounts/remove-unused-sign-ins.job';
import { foldCatalogRevisions } from '../catalog/catalog-revisions.repository';
import { removeUnreferencedFiles } from '../catalog/images/remove-unreferenced-files.job';
import { removeUnneededImportFiles } from '../exchange/imports/import-files';
import { runImports } from '../exchange/imports/run-import';
import { refreshSearchLanguage } from '../catalog/product/search-upkeep.job';
import { removeUnusedListingSets } from '../catalog/product/search-upkeep.repository';
import type { Deps } from '../sales/context';
import { startJob, type Job } from '../platform/jobs';
import { removeExpiredKeys } from '../platform/idempotency/delete-expired-keys.job';
import { countUnitsSold, startSalesCount } from '../sales/orders/count-units-sold.job';
import { deleteAbandonedCarts } from '../sales/orders/delete-abandoned-carts.job';
import { voidAbandonedAuthorizations } from '../sales/orders/void-abandoned-authorizations.job';
import { voidFreeAuthorizations } from '../sales/orders/void-free-authorizations.job';
import { recorders } from '../sales/payments/recorders';
import { settleInterruptedPayments } from '../sales/payment-processing/settle-interrupted-payments.job';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

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
  const unitsSold = startSalesCount();
  return [
    ...(hasDemo ? [startDemoOrders(deps, isRunning)] : []),
    startJob({ name: 'settle interrupted payments', everyMs: 2 * SECOND_MS, log }, () =>
      settleInterruptedPayments(authored(deps, 'settle interrupted payments'), recorders),
    ),
    startJob({ name: 'fold catalog revisions', everyMs: 2 * SECOND_MS, log }, () =>
      foldCatalogRevisions(deps.db),
    ),
    startJob({ name: 'run imports', everyMs: SECOND_MS, log }, () =>
      runImports(authored(deps, 'run imports'), { isRunning }),
    ),
    startJob({ name: 'remove files of imports', everyMs: HOUR_MS, log }, () =>
      removeUnneededImportFiles(deps, isRunning),
    ),
    startJob({ name: 'refresh the language of search documents', everyMs: 30 * SECOND_MS, log }, () =>
      refreshSearchLanguage(deps.db, isRunning),
    ),
    startJob({ name: 'count units sold', everyMs: 20 * SECOND_MS, log }, () =>
      countUnitsSold(deps, unitsSold),
    ),
    startJob({ name: 'remove unused sets of listings', everyMs: HOUR_MS, log }, () =>
      removeUnusedListingSets(deps.db),
    ),
    startJob({ name: 'remove unreferenced files', everyMs: HOUR_MS, log }, () =>
      removeUnreferencedFiles(deps, isRunning),
    ),
    startJob({ name: 'delete abandoned carts', everyMs: HOUR_MS, log }, () =>
      deleteAbandonedCarts(authored(deps, 'delete abandoned carts'), cartMaxAgeDays, isRunning),
    ),
    startJob({ name: 'void authorizations of abandoned carts', everyMs: HOUR_MS, log }, () =>
      voidAbandonedAuthorizations(
        authored(deps, 'void authorizations of abandoned carts'),
        cartMaxAgeDays,
        isRunning,
      ),
    ),
    startJob({ name: 'void authorizations of free orders', everyMs: MINUTE_MS, log }, () =>
      voidFreeAuthorizations(authored(deps, 'void authorizations of free orders'), isRunning),
    ),
    startJob({ name: 'delete unused sign-ins', everyMs: HOUR_MS, log }, () =>
      removeUnusedSignIns(authored(deps, 'delete unused sign-ins'), isRunning),
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

/** Names the job as the author of its changes in the audit log. */
function authored(deps: Deps, job: string): Deps {
  return { ...deps, author: buildProgramAuthor(`job: ${job}`) };
}
