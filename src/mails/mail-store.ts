import { NO_SENDER } from '../accounts/stores/sender';
import type { StoreRow } from '../accounts/stores/stores.definition';
import { findDefaultStore } from '../accounts/stores/stores.repository';
import type { Db } from '../platform/database/knex';
import { findPrintSettings } from '../sales/documents/packing-slips.repository';
import { buildLabels, type MailStore } from './mail-view';

/** Returns the sender of mails, with its language, labels and formats, and the record of the default store, if there is one. */
export async function findMailStore(db: Db): Promise<MailStore & { record: StoreRow | undefined }> {
  const record = await findDefaultStore(db);
  const settings = await findPrintSettings(db);
  return { sender: record ?? NO_SENDER, settings, labels: buildLabels(settings), record };
}
