import type { Tx } from '../database/transaction';

/** The flag of a table that one row has at most, such as that of the default store. */
export interface SingleDefault {
  /** Blocks other writers of the table until the transaction ends, so that the default can be replaced. */
  lock: (tx: Tx) => Promise<void>;
  /** Leaves no default. The caller holds the lock. */
  clear: (tx: Tx) => Promise<void>;
}

/** Creates the functions that replace the default of a table. */
export function createSingleDefault(table: string, column: string): SingleDefault {
  return {
    lock: async (tx) => void (await tx.raw('LOCK TABLE ?? IN SHARE ROW EXCLUSIVE MODE', [table])),
    clear: async (tx) =>
      void (await tx(table)
        .where({ [column]: true })
        .update({ [column]: false })),
  };
}
