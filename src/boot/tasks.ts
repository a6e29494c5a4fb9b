import { isDemoHistory } from '../../seeds/demo/orders';
import { buildProgramAuthor } from '../access/authors';
import { removeUnusedSignIns } from '../accounts/remove-unused-sign-ins.job';
import { removeUnreferencedFiles } from '../catalog/images/remove-unreferenced-files.job';
import { removeUnusedListingSets } from '../catalog/product-queries/search-upkeep.repository';
import { dropOldEvents } from '../events/log/events.repository';
import { deleteOldDeliveries } from '../events/webhooks/webhook-deliveries.repository';
import { removeUnneededImportFiles } from '../exchange/imports/import-files';
import { SEND_MAILS } from '../mails/mail-jobs';
import { sendMail, sendMails, type IsSample } from '../mails/send-mail';
import { deleteOldUndeliveredMails } from '../mails/undelivered-mails.service';
import { DAY_MS } from '../platform/calendar';
import { SEND_MAIL } from '../platform/mail/mailer';
import { removeExpiredKeys } from '../platform/idempotency/delete-expired-keys.job';
import type { CronItem, Tasks } from '../platform/queue/run-queue';
import type { Deps } from '../sales/context';
import { deleteAbandonedCarts } from '../sales/orders/delete-abandoned-carts.job';
import { reportAbandonedCarts } from '../sales/orders/note-abandoned-carts.job';
import { voidAbandonedAuthorizations } from '../sales/orders/void-abandoned-authorizations.job';
import { voidFreeAuthorizations } from '../sales/orders/void-free-authorizations.job';

/** What tasks need of the settings. */
export interface TaskSettings {
  cartMaxAgeDays: number;
}

/** Builds the table of all tasks of the queue: what `enqueue` names, and what `CRON` starts. */
export function buildTasks({ cartMaxAgeDays }: TaskSettings): Tasks<Deps> {
  return {
    remove_files_of_imports: async (deps, _payload, { isRunning }) => {
      await removeUnneededImportFiles(deps, isRunning);
    },
    remove_unused_listing_sets: async ({ db }) => {
      await removeUnusedListingSets(db);
    },
    remove_unreferenced_files: async (deps, _payload, { isRunning }) => {
      await removeUnreferencedFiles(deps, isRunning);
    },
    delete_abandoned_carts: async (deps, _payload, { isRunning }) => {
      await deleteAbandonedCarts(nameJob(deps, 'delete abandoned carts'), cartMaxAgeDays, isRunning);
    },
    void_authorizations_of_abandoned_carts: async (deps, _payload, { isRunning }) => {
      const named = nameJob(deps, 'void authorizations of abandoned carts');
      await voidAbandonedAuthorizations(named, cartMaxAgeDays, isRunning);
    },
    void_authorizations_of_free_orders: async (deps, _payload, { isRunning }) => {
      await voidFreeAuthorizations(nameJob(deps, 'void authorizations of free orders'), isRunning);
    },
    note_abandoned_carts: async (deps) => {
      await reportAbandonedCarts(deps);
    },
    drop_old_events: async ({ db, now }) => {
      await dropOldEvents(db);
      await deleteOldDeliveries(db, new Date(now().getTime() - 31 * DAY_MS));
    },
    delete_unused_sign_ins: async (deps, _payload, { isRunning }) => {
      await removeUnusedSignIns(nameJob(deps, 'delete unused sign-ins'), isRunning);
    },
    [SEND_MAIL]: async (deps, payload, { attempt }) => {
      await sendMail(deps, payload, { isSample: isSampleOf(deps), attempt });
    },
    [SEND_MAILS]: async (deps, payload, run) => {
      await sendMails(deps, payload, { isSample: isSampleOf(deps), ...run });
    },
    delete_undelivered_mails: async (deps) => {
      await deleteOldUndeliveredMails(deps);
    },
    delete_expired_idempotency_keys: async (deps, _payload, { isRunning }) => {
      await removeExpiredKeys(deps, isRunning);
    },
  };
}

const isSampleOf =
  ({ db }: Deps): IsSample =>
  (number, at) =>
    isDemoHistory(db, number, at);

/** When tasks run by themselves; one instance runs each. Minutes differ, so that they do not run at once. */
export const CRON: readonly CronItem[] = [
  { task: 'void_authorizations_of_free_orders', at: '* * * * *' },
  { task: 'note_abandoned_carts', at: '*/10 * * * *' },
  { task: 'drop_old_events', at: '3 * * * *' },
  { task: 'remove_files_of_imports', at: '7 * * * *' },
  { task: 'remove_unused_listing_sets', at: '14 * * * *' },
  { task: 'remove_unreferenced_files', at: '21 * * * *' },
  { task: 'delete_abandoned_carts', at: '28 * * * *' },
  { task: 'void_authorizations_of_abandoned_carts', at: '35 * * * *' },
  { task: 'delete_unused_sign_ins', at: '42 * * * *' },
  { task: 'delete_expired_idempotency_keys', at: '49 * * * *' },
  { task: 'delete_undelivered_mails', at: '56 * * * *' },
];

/** Names the job as the author of its changes in the audit log. */
export function nameJob(deps: Deps, job: string): Deps {
  return { ...deps, author: buildProgramAuthor(`job: ${job}`) };
}
