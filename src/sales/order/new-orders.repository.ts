import { STORE_CURRENCY, STORE_MONEY_FORMAT } from '../../catalog/store-settings-sql';
import { queryPrepared, type BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { generateOrderNumber } from './numbers';
import { ORDER_COLUMNS, type ShownOrder } from './orders.repository';
import { INSERT_INITIAL_STATE, type Cause } from './state-changes.repository';
import { insertWithUniqueNumber } from './unique-number';

export interface NewOrder {
  /** Defaults to a random number. */
  number?: string;
  token_seed: Buffer;
  token_hash: Buffer;
  user_id: number | null;
  email: string | null;
  channel?: string;
  /** Defaults to the currency of the default store. */
  currency?: string;
}

// The clock is read once, so that a new cart has not been updated since.
const buildInsertSql = (onConflict: string): string => `
  WITH clock AS MATERIALIZED (SELECT change_time() AS time), made AS (
    INSERT INTO orders (number, token_seed, token_hash, user_id, email, channel, currency, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, coalesce(CAST(? AS text), 'store'), coalesce(CAST(? AS text), ${STORE_CURRENCY}),
      (SELECT time FROM clock), (SELECT time FROM clock))
    ${onConflict} RETURNING ${ORDER_COLUMNS.join(', ')}),
  noted AS (${INSERT_INITIAL_STATE})
  SELECT made.*, ${STORE_MONEY_FORMAT} AS money_format FROM made`;

const INSERT_ORDER = { name: 'insert_order', sql: buildInsertSql('') };
const INSERT_ORDER_UNLESS_TAKEN = {
  name: 'insert_order_unless_taken',
  sql: buildInsertSql('ON CONFLICT (number) DO NOTHING'),
};

/**
 * Builds the statement that inserts an empty cart and its first history entry. Yields the cart (`ShownOrder`), or no
 * row if a random number is taken; fails with the unique violation if `order.number` is given and taken.
 */
export function buildOrderInsert(
  order: NewOrder,
  { user_id, reason }: Cause,
  moreDigits: 0 | 1,
): BoundStatement {
  const { number, token_seed, token_hash, email, channel = null, currency = null } = order;
  const columns = [token_seed, token_hash, order.user_id, email, channel, currency];
  return {
    statement: number === undefined ? INSERT_ORDER_UNLESS_TAKEN : INSERT_ORDER,
    bindings: [number ?? generateOrderNumber(9 + moreDigits), ...columns, user_id, reason],
  };
}

/**
 * Inserts an empty cart and its first history entry, in one statement; retries if a random number is taken.
 * @throws the unique violation if `order.number` is given and taken
 */
export async function insertOrder(tx: Tx, order: NewOrder, cause: Cause): Promise<ShownOrder> {
  return insertWithUniqueNumber(async (moreDigits) => {
    const { statement, bindings } = buildOrderInsert(order, cause, moreDigits);
    const [row] = await queryPrepared<ShownOrder>(tx, statement, bindings);
    return row;
  });
}
