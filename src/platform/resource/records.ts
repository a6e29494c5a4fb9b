import { markAsLocked, type Locked } from '../database/locked';
import { NotFound, requireFound } from '../errors';
import type { Db } from '../database/knex';
import { requireRow } from '../database/require-row';
import type { Tx } from '../database/transaction';
import { applyFilters, applySortAndPage } from '../query-builder/apply-search';
import type { ListQuery } from '../query-builder/list-query';
import { countAll, buildPage, type Page } from '../query-builder/page';
import type { Fields, Resource, Row, Values } from './definition';

/** The plain SQL of one resource; one statement each unless noted. Soft-deleted rows are ignored. */
export interface Records<F extends Fields> {
  /** Returns one page and the total; up to two statements. */
  findPage: (db: Db, list: ListQuery) => Promise<Page<Row<F>>>;
  find: (db: Db, id: number) => Promise<Row<F> | undefined>;
  /** @throws NotFound */
  get: (db: Db, id: number) => Promise<Row<F>>;
  /** Locks the row FOR UPDATE. Until the transaction ends, no other row can add a reference to it. @throws NotFound */
  lock: (tx: Tx, id: number) => Promise<Locked<Row<F>>>;
  /** Locks the row FOR KEY SHARE, so that it cannot be deleted before the transaction ends. */
  lockForReference: (tx: Tx, id: number) => Promise<Row<F> | undefined>;
  /** Inserts a row and returns its id. @throws PgError if a constraint is violated */
  insert: (tx: Tx, values: Values<F>) => Promise<number>;
  /** Updates the row; no statement if `values` is empty. @throws PgError if a constraint is violated */
  update: (tx: Tx, id: number, values: Partial<Values<F>>) => Promise<void>;
  /** Deletes the row, or marks it as deleted, depending on the definition. @throws NotFound */
  delete: (tx: Tx, id: number, now: Date) => Promise<void>;
}

type Loaded = Record<string, unknown>;

/** Creates the statements of a resource. */
export function createRecords<F extends Fields>(definition: Resource<string, F>): Records<F> {
  const { table, search, deletion } = definition;
  const columns = [...definition.columns];
  const present = (db: Db) => (deletion === 'soft' ? db(table).whereNull(`${table}.deleted_at`) : db(table));
  const byId = (db: Db, id: number) => present(db).where(`${table}.id`, id);
  const find = async (db: Db, id: number) => byId(db, id).first<Loaded | undefined>(columns);

  const statements = {
    find,
    findPage: async (db: Db, list: ListQuery) => {
      const matching = applyFilters(present(db), list, search);
      const rows = await applySortAndPage(matching.clone().select<Loaded[]>(columns), list, search);
      return buildPage(rows, await countAll(matching, rows.length, list), list);
    },
    get: async (db: Db, id: number) => requireFound(await find(db, id)),
    lock: async (tx: Tx, id: number) =>
      markAsLocked(requireFound(await byId(tx, id).forUpdate().first<Loaded | undefined>(columns))),
    lockForReference: async (tx: Tx, id: number) =>
      byId(tx, id).forKeyShare().first<Loaded | undefined>(columns),
    insert: async (tx: Tx, values: Loaded) =>
      requireRow(await tx(table).insert(values).returning<{ id: number }[]>('id')).id,
    update: async (tx: Tx, id: number, values: Loaded) => {
      if (Object.keys(values).length > 0) await tx(table).where({ id }).update(values);
    },
    delete: async (tx: Tx, id: number, now: Date) => {
      const row = byId(tx, id);
      const deleted: number = await (deletion === 'soft' ? row.update({ deleted_at: now }) : row.delete());
      if (deleted === 0) throw new NotFound();
    },
  };
  // Row and Values are computed from the same definition as the columns.
  return statements as unknown as Records<F>;
}
