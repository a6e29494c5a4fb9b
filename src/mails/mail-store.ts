import { findSender } from '../accounts/stores/sender';
import type { Db } from '../platform/database/knex';
import { findPrintSettings } from '../sales/documents/packing-slips.repository';
import type { MailStore } from './mail-view';

/** Returns the sender of mails, with its language and formats. */
export async function findMailStore(db: Db): Promise<MailStore> {
  return { sender: await findSender(db), settings: await findPrintSettings(db) };
}
