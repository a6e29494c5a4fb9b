import { hasRow } from '../../platform/database/has-row';
import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { buildPage, countAll, type Page } from '../../platform/query-builder/page';
import type { ImportKind } from './import-kinds';
import { importErrorSearch } from './imports.search';

export type ImportState = 'queued' | 'running' | 'done' | 'failed' | 'canceled';

export interface ImportRecord {
  id: number;
  kind: ImportKind;
  state: ImportState;
  dry_run: boolean;
  partial: boolean;
  storage_key: string;
  user_id: number | null;
  ignored_columns: string[];
  /** Null until the file was counted. */
  rows: number | null;
  checked: number;
  is_checked: boolean;
  /** Rows that are processed, written or not. */
  position: number;
  changed: number;
  unchanged: number;
  failed: number;
  problem: string | null;
  /** Claims since rows were last written. */
  attempts: number;
  created_at: Date;
  finished_at: Date | null;
}

export type NewImport = Pick<
  ImportRecord,
  'kind' | 'dry_run' | 'partial' | 'storage_key' | 'user_id' | 'ignored_columns'
>;

/** An error of a row; the column is null if it concerns the whole row. */
export interface ImportErrorRow {
  line: number;
  column: string | null;
  reason: string;
}

export async function insertImport(tx: Tx, values: NewImport): Promise<ImportRecord> {
  return requireRow(await tx<ImportRecord>('imports').insert(values).returning<ImportRecord[]>('*'));
}

export async function findImport(db: Db, id: number): Promise<ImportRecord | undefined> {
  return db<ImportRecord>('imports').where({ id }).first();
}

/** Locks an import against its job and other cancellations. */
export async function lockImport(tx: Tx, id: number): Promise<ImportRecord | undefined> {
  return tx<ImportRecord>('imports').where({ id }).forUpdate().first();
}

/** Marks an import as canceled. */
export async function cancelImportRow(tx: Tx, id: number, now: Date): Promise<void> {
  await tx('imports').where({ id }).update({ state: 'canceled', finished_at: now, claimed_by: null });
}

/** Returns one page of the errors of an import, by line. */
export async function findImportErrorPage(
  db: Db,
  importId: number,
  list: ListQuery,
): Promise<Page<ImportErrorRow>> {
  const matching = applyFilters(
    db('import_errors').where('import_errors.import_id', importId),
    list,
    importErrorSearch,
  );
  const rows = await applySortAndPage(
    matching.clone().select<ImportErrorRow[]>('line', 'column', 'reason'),
    list,
    importErrorSearch,
  );
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}

/** A claim on an import: the only instance that works on it. */
export interface Claim {
  id: number;
  claimed_by: string;
}

/** How long a claim lasts without progress. A batch also locks the row, so that a slow one keeps its claim. */
const LEASE_SECONDS = 10;

/**
 * Claims the oldest import of these kinds that is queued, or that its instance has left; null if there is none. Skips imports that
 * another instance is claiming or writing, and old orders while an earlier import may still add their products and customers. With an
 * `id`, only this one.
 */
export async function claimImport(
  db: Db,
  { claimed_by, kinds, id = null }: { claimed_by: string; kinds: readonly ImportKind[]; id?: number | null },
): Promise<ImportRecord | null> {
  const { rows } = await db.raw<{ rows: ImportRecord[] }>(
    `UPDATE imports SET state = 'running', claimed_by = ?, attempts = attempts + 1,
            claimed_until = now() + interval '${LEASE_SECONDS} seconds'
      WHERE id = (SELECT id FROM imports
                   WHERE (state = 'queued' OR (state = 'running' AND (claimed_until IS NULL OR claimed_until < now())))
                     AND kind = ANY(?)
                     AND (id = CAST(? AS integer) OR CAST(? AS integer) IS NULL AND (kind <> 'orders' OR NOT EXISTS (
                       SELECT FROM imports AS earlier
                        WHERE earlier.id < imports.id AND earlier.kind <> 'orders' AND earlier.state IN ('queued', 'running'))))
                   ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING *`,
    [claimed_by, [...kinds], id, id],
  );
  return rows[0] ?? null;
}

/** Locks a claimed import for a batch. @returns false if it was canceled or claimed by another instance */
export async function lockClaim(tx: Tx, claim: Claim): Promise<boolean> {
  return hasRow(
    tx('imports')
      .where({ ...claim, state: 'running' })
      .forUpdate()
      .select('id'),
  );
}

type Progress = Partial<
  Pick<
    ImportRecord,
    | 'rows'
    | 'checked'
    | 'is_checked'
    | 'position'
    | 'changed'
    | 'unchanged'
    | 'failed'
    | 'state'
    | 'problem'
    | 'finished_at'
    | 'attempts'
  >
>;

/** Writes progress and extends the claim. @returns false, without changes, as `lockClaim` */
export async function updateProgress(db: Db, claim: Claim, progress: Progress): Promise<boolean> {
  const updated = await db('imports')
    .where({ ...claim, state: 'running' })
    .update({
      ...progress,
      claimed_until: db.raw(`now() + interval '${LEASE_SECONDS} seconds'`),
    });
  return updated > 0;
}

/** Gives up a claim, so that another instance continues at once. */
export async function releaseClaim(db: Db, claim: Claim): Promise<void> {
  await db('imports')
    .where({ ...claim, state: 'running' })
    .update({ claimed_until: null, attempts: db.raw('attempts - 1') });
}

export async function insertImportErrors(
  db: Db,
  importId: number,
  errors: readonly ImportErrorRow[],
): Promise<void> {
  if (errors.length === 0) return;
  await db('import_errors').insert(errors.map((error) => ({ ...error, import_id: importId })));
}

export async function deleteImportErrors(db: Db, importId: number): Promise<void> {
  await db('import_errors').where({ import_id: importId }).delete();
}

/** Returns those of these files that an open import still reads. */
export async function findNeededFiles(db: Db, keys: readonly string[]): Promise<string[]> {
  return db('imports')
    .whereRaw('storage_key = ANY(?)', [[...keys]])
    .whereIn('state', ['queued', 'running'])
    .pluck<string[]>('storage_key');
}

/** Returns whether an import waits or runs. */
export async function isOpen(db: Db, id: number): Promise<boolean> {
  return hasRow(db('imports').where({ id }).whereIn('state', ['queued', 'running']).select('id'));
}
