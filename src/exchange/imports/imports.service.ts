import { findUserId, hasScope, type Actor } from '../../access/actor';
import type { Area } from '../../access/scopes';
import { withTransaction } from '../../platform/database/transaction';
import { BLANK, InvalidResource, NotAuthorized, Refused, requireFound } from '../../platform/errors';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { Ctx, Deps } from '../context';
import { buildImportKey, checkHeader, removeImportFile } from './import-files';
import type { ImportKind } from './import-kinds';
import {
  cancelImportRow,
  findImport,
  findImportErrorPage,
  insertImport,
  lockImport,
  type ImportErrorRow,
  type ImportRecord,
} from './imports.repository';

/** What an import is to do. */
export interface ImportOrder {
  kind: ImportKind;
  dry_run?: boolean | null | undefined;
  partial?: boolean | null | undefined;
}

/** The context of a request or of a command. */
type QueueContext = Pick<Deps, 'db' | 'storage' | 'log'> &
  Pick<Ctx, 'transactionHooks'> & { user_id: number | null };

/**
 * Stores the file and queues its import, which a job runs.
 * @throws InvalidResource if the file is missing or its header is wrong
 */
export async function createImport(
  ctx: Ctx,
  order: ImportOrder,
  file: { path: string } | null,
): Promise<ImportRecord> {
  authorizeKind(ctx.actor, order.kind, 'write');
  if (file === null) throw new InvalidResource({ file: [BLANK] });
  return queueImport({ ...ctx, user_id: findUserId(ctx.actor) }, order, file.path);
}

/** As `createImport`, with the path of a file on this machine; `user_id` is in whose name rows are written. */
export async function queueImport(
  ctx: QueueContext,
  { kind, dry_run, partial }: ImportOrder,
  path: string,
): Promise<ImportRecord> {
  const ignored_columns = await checkHeader(kind, path);
  const storage_key = buildImportKey();
  await ctx.storage.put(storage_key, { path });
  const values = { kind, dry_run: dry_run === true, partial: partial === true, ignored_columns };
  const record = await withTransaction(ctx, (tx) =>
    insertImport(tx, { ...values, storage_key, user_id: ctx.user_id }),
  ).catch(async (error: unknown) => {
    await removeImportFile(ctx, storage_key);
    throw error;
  });
  // A repeated request recalls the first one's record, which reads the first one's file.
  if (record.storage_key !== storage_key) await removeImportFile(ctx, storage_key);
  return record;
}

const AREAS_OF_KINDS: Readonly<Record<ImportKind, readonly Area[]>> = {
  products: ['catalog'],
  prices: ['catalog'],
  stock: ['stock'],
  customers: ['customers'],
  shipments: ['shipments'],
  orders: ['orders', 'shipments', 'payments'],
};

/** An import needs the scopes of the records that it writes. @throws NotAuthorized */
function authorizeKind(actor: Actor, kind: ImportKind, action: 'read' | 'write'): void {
  const isPermitted = AREAS_OF_KINDS[kind].every((area) => hasScope(actor, `${area}:${action}`));
  if (!isPermitted) throw new NotAuthorized();
}

/** Returns an import that the actor may see. @throws NotFound, NotAuthorized */
export async function getOwnImport(ctx: Pick<Ctx, 'db' | 'actor'>, id: number): Promise<ImportRecord> {
  const record = await getImport(ctx, id);
  authorizeKind(ctx.actor, record.kind, 'read');
  return record;
}

/** Returns one page of the errors of such an import. @throws NotFound, NotAuthorized */
export async function listOwnImportErrors(
  ctx: Pick<Ctx, 'db' | 'actor'>,
  id: number,
  list: ListQuery,
): Promise<Page<ImportErrorRow>> {
  await getOwnImport(ctx, id);
  return findImportErrorPage(ctx.db, id, list);
}

/** Returns an import. @throws NotFound */
export async function getImport(ctx: Pick<Ctx, 'db'>, id: number): Promise<ImportRecord> {
  return requireFound(await findImport(ctx.db, id));
}

/** Returns one page of the errors of an import. @throws NotFound */
export async function listImportErrors(
  ctx: Pick<Ctx, 'db'>,
  id: number,
  list: ListQuery,
): Promise<Page<ImportErrorRow>> {
  await getImport(ctx, id);
  return findImportErrorPage(ctx.db, id, list);
}

/**
 * Cancels an import. Rows that are already written stay. Waits for the batch that is being written. Repeatable.
 * @throws NotFound; Refused if the import is finished
 */
export async function cancelImport(ctx: Ctx, id: number): Promise<void> {
  const { storage_key } = await withTransaction(ctx, async (tx) => {
    const record = requireFound(await lockImport(tx, id));
    authorizeKind(ctx.actor, record.kind, 'write');
    if (record.state === 'done' || record.state === 'failed')
      throw new Refused('The import is already finished.');
    if (record.state !== 'canceled') await cancelImportRow(tx, id, ctx.now());
    return { storage_key: record.storage_key };
  });
  await removeImportFile(ctx, storage_key);
}
