import { Zip, ZipPassThrough } from 'fflate';
import type { Ctx } from '../context';
import { writeHeader, writeRows, type Columns } from '../../platform/csv/write-csv';
import { InvalidResource } from '../../platform/errors';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { getDocumentContent } from './document-files';
import {
  findDocumentById,
  findDocumentIds,
  findDocumentPage,
  findNextDocuments,
  type ListedDocument,
} from './documents.repository';

/** PDFs in one file. */
export const MAX_ZIPPED_DOCUMENTS = 1000;

/** Records per statement. */
const PAGE = 1000;

const CSV_COLUMNS = {
  number: 'text',
  kind: 'text',
  created_at: 'time',
  order_number: 'text',
  email: 'text',
  currency: 'text',
  net_total: 'decimal',
  tax_total: 'decimal',
  total: 'decimal',
} satisfies Columns;

/** Returns one page of the documents of all orders. */
export async function listAllDocuments(ctx: Ctx, list: ListQuery): Promise<Page<ListedDocument>> {
  return findDocumentPage(ctx.db, list);
}

/** Writes the documents that `list` finds as CSV, by id. Holds no connection while the client reads. */
export async function* exportDocuments(ctx: Ctx, list: ListQuery): AsyncGenerator<string> {
  yield writeHeader(CSV_COLUMNS);
  for (let after = 0; ;) {
    const rows = await findNextDocuments(ctx.db, list, { after, size: PAGE });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield writeRows(
      CSV_COLUMNS,
      rows.map((row) => ({ ...row })),
    );
    after = last.id;
  }
}

/**
 * Returns the PDFs of the documents that `list` finds as the chunks of a ZIP file, each rendered when it is its turn.
 * @throws InvalidResource if there are too many
 */
export async function zipDocuments(ctx: Ctx, list: ListQuery): Promise<AsyncGenerator<Uint8Array>> {
  const ids = await findDocumentIds(ctx.db, list, MAX_ZIPPED_DOCUMENTS);
  if (ids.length > MAX_ZIPPED_DOCUMENTS) {
    throw new InvalidResource({ q: [`matches more than ${MAX_ZIPPED_DOCUMENTS} documents`] });
  }
  return zipFiles(ctx, ids);
}

async function* zipFiles(ctx: Ctx, ids: readonly number[]): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    chunks.push(chunk);
  });
  const names = new Set<string>();
  for (const id of ids) {
    const document = await findDocumentById(ctx.db, id);
    if (document === undefined) continue;
    // Stores may share a prefix.
    const name = names.has(document.number) ? `${document.number}-${id}.pdf` : `${document.number}.pdf`;
    names.add(document.number);
    const file = new ZipPassThrough(name);
    file.mtime = document.created_at;
    zip.add(file);
    file.push(await getDocumentContent(ctx, document), true);
    yield* chunks.splice(0);
  }
  zip.end();
  yield* chunks;
}
