import type { Db } from '../../platform/database/knex';
import { findDefaultStore } from './stores.repository';

/** What a mail shows of the store. */
export interface Sender {
  name: string;
  /** With or without a scheme. */
  url: string;
  mail_from_address: string;
}

/** The sender before the first store is created. */
const NO_STORE: Sender = { name: 'Store', url: 'http://localhost', mail_from_address: 'store@localhost' };

/** Returns the sender of mails: the default store. */
export async function findSender(db: Db): Promise<Sender> {
  return (await findDefaultStore(db)) ?? NO_STORE;
}
