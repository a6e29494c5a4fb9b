import type { Db } from '../../platform/database/knex';

/** Returns whether the store captures authorized payments when it ships. */
export async function capturesOnDispatch(db: Db): Promise<boolean> {
  const store = await db('stores')
    .where({ is_default: true })
    .first<{ auto_capture_on_dispatch: boolean } | undefined>('auto_capture_on_dispatch');
  return store?.auto_capture_on_dispatch === true;
}
