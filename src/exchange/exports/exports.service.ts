import { hasScope, type Actor } from '../../access/actor';
import { writeHeader, writeRows } from '../../platform/csv/write-csv';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { createSlots } from '../../platform/slots';
import type { Ctx, Deps } from '../context';
import { countRecords, findNextIds } from './export-pages.repository';
import type { ExportRow } from './export-rows.repository';
import { EXPORTS, type ExportName, type ExportSource } from './export-sources';

/** Records per statement. */
const PAGE = 1000;

/** The filter of an export may read whole tables for each page, so exports read their pages in turn. */
const inTurn = createSlots({ concurrency: 1, waiting: 100 });

/**
 * Writes the records that `list` finds as CSV, by id; its sorting and paging are ignored. Memory does not depend on
 * their number. Each page is a statement of its own, so that a slow reader holds no connection: records that change
 * meanwhile appear as they are when they are read.
 * @param onRecords is called with the number of records after each page
 */
export async function* exportCsv(
  { db, actor }: Pick<Ctx, 'db' | 'actor'>,
  name: ExportName,
  list: ListQuery,
  onRecords: (count: number) => void = () => undefined,
): AsyncGenerator<string> {
  const source = EXPORTS[name];
  yield writeHeader(source.columns);
  for (let after = 0; ;) {
    const from = after;
    const { ids, rows } = await inTurn(async () => {
      const found = await findNextIds(db, source, { list, after: from, size: PAGE });
      return { ids: found, rows: found.length === 0 ? [] : await source.load(db, found) };
    });
    const last = ids.at(-1);
    if (last === undefined) return;
    yield writeRows(source.columns, hidePersonal(rows, source, actor));
    onRecords(ids.length);
    if (ids.length < PAGE) return;
    after = last;
  }
}

/** Empties the columns of personal data unless the actor may see them. */
function hidePersonal(
  rows: readonly ExportRow[],
  { personal }: ExportSource,
  actor: Actor,
): readonly ExportRow[] {
  if (personal === undefined || personal.scopes.some((scope) => hasScope(actor, scope))) return rows;
  const nothing = Object.fromEntries(personal.columns.map((name) => [name, null]));
  return rows.map((row) => ({ ...row, ...nothing }));
}

/** Counts the records of an export, for a progress bar. */
export async function countExport(
  { db }: Pick<Deps, 'db'>,
  name: ExportName,
  list: ListQuery,
): Promise<number> {
  return countRecords(db, EXPORTS[name], list);
}
