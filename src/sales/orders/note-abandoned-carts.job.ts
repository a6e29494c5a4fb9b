import type { Deps } from '../../access/context';
import { noteAbandonedCarts } from './abandoned-carts.repository';

/** Notes the event of carts that were abandoned, once for each. Repeatable. @returns how many */
export async function reportAbandonedCarts({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  return noteAbandonedCarts(db, now());
}
