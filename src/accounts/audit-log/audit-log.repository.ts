import type { Db } from '../../platform/database/knex';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { buildPage, countAll, type Page } from '../../platform/query-builder/page';
import { auditLogSearch } from './audit-log.search';

/** One change of one record. Triggers write it. */
export interface AuditEntryRow {
  /** A bigint, which pg returns as text. */
  id: string;
  created_at: Date;
  /** Null for jobs and the command line. */
  user_id: number | null;
  user_email: string | null;
  api_token_name: string | null;
  request_id: string | null;
  address: string | null;
  action: 'create' | 'update' | 'delete';
  subject_type: string;
  subject_id: number | null;
  /** The values before and after, by column; secret ones are `***`. */
  changes: Record<string, [unknown, unknown]>;
}

/** Returns one page of the audit log, newest first. Two queries. */
export async function findAuditPage(db: Db, list: ListQuery): Promise<Page<AuditEntryRow>> {
  const matching = applyFilters(db('audit_log'), list, auditLogSearch);
  const rows = await applySortAndPage(
    matching.clone().select<AuditEntryRow[]>('audit_log.*'),
    list,
    auditLogSearch,
  );
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}
