import { markAsLocked, type Locked } from '../database/locked';
import { NotFound, requireFound } from '../errors';
import { MAX_INT4 } from '../int4';
import type { Db } from '../database/knex';
import type { Knex } from 'knex';
import { requireRow } from '../database/require-row';
import type { Tx } from '../database/transaction';
import { whereChanged } from '../database/where-changed';
import { applyFilters, applySort, applySortAndPage } from '../query-builder/apply-search';
import type { ListQuery } from '../query-builder/list-query';
import { countAll, buildPage, type Page } from '../query-builder/page';
import type { Fields, Resource, Row, Values } from './definition';

/**
 * The plain SQL of one resource; one statement each unless noted. Soft-deleted rows are ignored. `among` limits what is
 * found to the rows with these values, such as those of one parent.
 */
export interface Records<F extends Fields> {
  /** Builds the query of all rows, for conditions and orders of its caller. */
  select: (db: Db) => Knex.QueryBuilder<object, Row<F>[]>;
  /** Returns one page and the total; up to two statements. */
  findPage: (db: Db, list: ListQuery, among?: Among<F>) => Promise<Page<Row<F>>>;
  /** Returns one page if the request has one, or else all rows. */
  findPageOrAll: (db: Db, list: ListQuery, among?: Among<F>) => Promise<Page<Row<F>>>;
  find: (db: Db, id: number, among?: Among<F>) => Promise<Row<F> | undefined>;
  /** @throws NotFound */
  get: (db: Db, id: number, among?: Among<F>) => Promise<Row<F>>;
  /** Locks the row FOR UPDATE. Until the transaction ends, no other row can add a reference to it. @throws NotFound */
  lock: (tx: Tx, id: number) => Promise<Locked<Row<F>>>;
  /** Locks the row FOR KEY SHARE, so that it cannot be deleted before the transaction ends. */
  lockForReference: (tx: Tx, id: number) => Promise<Row<F> | undefined>;
  /** Inserts a row and returns its id. @throws PgError if a constraint is violated */
  insert: (tx: Tx, values: Values<F>) => Promise<number>;
  /** Inserts a row as `insert`, at its position or after all rows that it is placed among. */
  append: (tx: Tx, values: Appended<F>, among?: Among<F>) => Promise<number>;
  /** Updates the row, unless it has these values. @throws PgError if a constraint is violated */
  update: (tx: Tx, id: number, values: Partial<Values<F>>) => Promise<void>;
  /** Updates the given columns of each row that has other values, in one statement. */
  updateEach: (tx: Tx, changes: readonly { id: number; columns: Partial<Values<F>> }[]) => Promise<void>;
  /** Deletes the row, or marks it as deleted, depending on the definition. @throws NotFound */
  delete: (tx: Tx, id: number, now: Date) => Promise<void>;
}

type Among<F extends Fields> = Partial<Row<F>>;

type Appended<F extends Fields> = { [K in keyof Values<F>]?: Values<F>[K] | undefined };

type Loaded = Record<string, unknown>;

/** SQL for the position after the last row, limited to the largest integer, which clients may set. */
const NEXT_POSITION = `least(coalesce(max(position), 0) + 1::bigint, ${MAX_INT4})`;

/** Creates the statements of a resource. */
export function createRecords<F extends Fields>(definition: Resource<string, F>): Records<F> {
  const { table, join, search, deletion } = definition;
  const columns = [...definition.columns];
  const present = (db: Db) => (deletion === 'soft' ? db(table).whereNull(`${table}.deleted_at`) : db(table));
  const read = (db: Db, among: Loaded = {}) =>
    present(db)
      .joinRaw(join)
      .where(Object.fromEntries(Object.entries(among).map(([key, value]) => [`${table}.${key}`, value])));
  const byId = (db: Db, id: number, among?: Loaded) => read(db, among).where(`${table}.id`, id);
  const find = async (db: Db, id: number, among?: Loaded) =>
    byId(db, id, among).first<Loaded | undefined>(columns);
  const insert = async (tx: Tx, values: Loaded) =>
    requireRow(await tx(table).insert(values).returning<{ id: number }[]>('id')).id;
  const findPage = async (db: Db, list: ListQuery, among?: Loaded) => {
    const matching = applyFilters(read(db, among), list, search);
    const rows = await applySortAndPage(matching.clone().select<Loaded[]>(columns), list, search);
    return buildPage(rows, await countAll(matching, rows.length, list), list);
  };

  const statements = {
    select: (db: Db) => read(db).select<Loaded[]>(columns),
    find,
    findPage,
    findPageOrAll: async (db: Db, list: ListQuery, among?: Loaded) => {
      if (list.isPaged) return findPage(db, list, among);
      const matching = applyFilters(read(db, among).select<Loaded[]>(columns), list, search);
      const rows = await applySort(matching, list, search);
      return { ...buildPage(rows, rows.length, list), isWhole: true };
    },
    get: async (db: Db, id: number, among?: Loaded) => requireFound(await find(db, id, among)),
    lock: async (tx: Tx, id: number) =>
      markAsLocked(requireFound(await byId(tx, id).forUpdate(table).first<Loaded | undefined>(columns))),
    lockForReference: async (tx: Tx, id: number) =>
      byId(tx, id).forKeyShare(table).first<Loaded | undefined>(columns),
    insert,
    append: async (tx: Tx, { position, ...values }: Loaded, among: Loaded = {}) => {
      const next = tx(table).where(among).select(tx.raw(NEXT_POSITION));
      return insert(tx, { ...values, ...among, position: position ?? next });
    },
    update: async (tx: Tx, id: number, values: Loaded) => {
      if (Object.keys(values).length > 0) await whereChanged(tx(table).where({ id }), values).update(values);
    },
    updateEach: async (tx: Tx, changes: readonly { id: number; columns: Loaded }[]) => {
      const names = [...new Set(changes.flatMap((change) => Object.keys(change.columns)))].join(', ');
      if (names === '') return;
      await tx.raw(
        `UPDATE ${table} SET (${names}) = (SELECT ${names} FROM jsonb_populate_record(${table}, given.columns))
           FROM jsonb_to_recordset(?) AS given (id integer, columns jsonb)
          WHERE ${table}.id = given.id AND jsonb_populate_record(${table}, given.columns) IS DISTINCT FROM ${table}`,
        [JSON.stringify(changes)],
      );
    },
    delete: async (tx: Tx, id: number, now: Date) => {
      const row = present(tx).where({ id });
      const deleted: number = await (deletion === 'soft' ? row.update({ deleted_at: now }) : row.delete());
      if (deleted === 0) throw new NotFound();
    },
  };
  // Row and Values are computed from the same definition as the columns.
  return statements as unknown as Records<F>;
}
