import { api, type Caller } from '../../support/api';
import type { Charge } from './account';
import type { Dice } from './figures';
import type { Sale } from './sale';
import type { Shop } from './shops';

/** The books of a shop, and the shop. Whatever is done in one is done in the other. */
export interface Play {
  shop: Shop;
  dice: Dice;
  sales: Sale[];
  /** What was refunded, order by order. */
  refunds: bigint[];
  /** What was done, for the report of a difference. */
  story: string[];
}

/** Performs an act. @returns the sale that it concerned, and what it refunded; null if there was nothing to do */
export type Act = (play: Play) => Promise<{ sale: Sale; refund?: bigint; makes?: string } | null>;

/** Sends a request. @throws Error if the reply has another status */
export async function request(
  { shop, story }: Play,
  caller: Caller | null,
  [method, path, body]: ['post' | 'put' | 'delete' | 'get', string, object?],
  expected: number,
): Promise<any> {
  const client = caller === null ? shop.own.admin : api(caller, shop.own.app);
  const reply = await client[method](path, body);
  story.push(`${method} ${path} ${JSON.stringify(body ?? {})} ${reply.status}`);
  if (reply.status !== expected) {
    throw new Error(`${method} ${path}: ${reply.status} instead of ${expected}: ${reply.text.slice(0, 500)}`);
  }
  return reply.body;
}

/** A charge of items that leave the zone of the taxes. */
export function sendAway(charge: Charge, reason: string): Charge {
  const isRelieved = charge.isIncluded && charge.rates.length > 0;
  return { ...charge, rates: isRelieved ? charge.rates : [], isRelieved, reason };
}

/** Chooses a sale; the later ones are more likely. */
export function chooseSale({ sales, dice }: Play, isFit: (sale: Sale) => boolean): Sale | null {
  const fit = sales.slice(-12).filter(isFit);
  return fit.length === 0 ? null : dice.choose(fit);
}

/** Sales whose items may be changed: nothing of them is on its way back. */
export const isEditable = (sale: Sale): boolean =>
  !sale.isCanceled && sale.returns.length === 0 && sale.lines.length > 0;
