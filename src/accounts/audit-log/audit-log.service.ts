import type { Ctx } from '../../access/context';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findAuditPage, type AuditEntryRow } from './audit-log.repository';

/** Returns one page of the audit log, newest first. */
export async function listAuditEntries(ctx: Ctx, list: ListQuery): Promise<Page<AuditEntryRow>> {
  return findAuditPage(ctx.db, list);
}
