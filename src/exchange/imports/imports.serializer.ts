import type { ImportRecord } from './imports.repository';
import type { ImportJson } from './imports.schema';

export function serializeImport(record: ImportRecord): ImportJson {
  const { id, kind, state, dry_run, partial, rows, checked, changed, unchanged, failed } = record;
  return {
    id,
    kind,
    state,
    dry_run,
    partial,
    rows,
    checked,
    done: changed + unchanged,
    changed,
    unchanged,
    failed,
    ignored_columns: record.ignored_columns,
    problem: record.problem,
    errors_url: `/api/v1/imports/${id}/errors`,
    created_at: record.created_at.toISOString(),
    finished_at: record.finished_at?.toISOString() ?? null,
  };
}
