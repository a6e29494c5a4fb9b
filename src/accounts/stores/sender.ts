import type { Db } from '../../platform/database/knex';
import { findDefaultStore } from './stores.repository';

/** What a mail shows of the store. */
export interface Sender {
  name: string;
  /** With or without a scheme. */
  url: string;
  mail_from_address: string;
  /** The page of an order, with `{number}` and `{token}`; null for the default. */
  order_url: string | null;
}

/** The sender before the first store is created. */
export const NO_SENDER: Sender = {
  name: 'Store',
  url: 'http://localhost',
  mail_from_address: 'store@localhost',
  order_url: null,
};

/** Returns the sender of mails: the default store. */
export async function findSender(db: Db): Promise<Sender> {
  return (await findDefaultStore(db)) ?? NO_SENDER;
}

/** Builds the address of a page of the storefront. @param path begins with a slash */
export function buildStoreUrl({ url }: Pick<Sender, 'url'>, path: string): string {
  const base = /^https?:\/\//i.test(url) ? url : `https://${url}`;
  return `${base.replace(/\/+$/, '')}${path}`;
}
