import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import type { Ctx } from '../context';
import { ImportCreate, ImportErrorJson, ImportJson } from './imports.schema';
import { importErrorSearch } from './imports.search';
import { serializeImport } from './imports.serializer';
import { cancelImport, createImport, getOwnImport, listOwnImportErrors } from './imports.service';

const MEBIBYTE = 1024 * 1024;

/** Builds the router of imports. */
export function importsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Imports', 'any');

  endpoint(router, 'post /imports', {
    access: 'admin',
    summary: 'Import a CSV file of products, stock, prices, customers, shipments or orders',
    description:
      'The file is UTF-8, separated by commas, semicolons or tabs, with the column names of the exports, in any order; of 256 MiB at most. A missing column changes nothing. Rows of customers that would change an account of staff fail. Rows of shipments (`number,tracking,tracking_url,ship`) set trackings and ship. Rows of orders are line items of old sales; the guide [Moving in](/docs/guides/moving-in) lists their columns. A job checks all rows, and writes them in batches only if all are valid; with `partial` it writes the valid ones. It continues after a restart of the server. Poll GET /imports/:id.',
    input: ImportCreate,
    upload: 'file',
    maxUploadBytes: 256 * MEBIBYTE,
    status: 202,
    reply: ImportJson,
    handle: async (ctx, { input, file }) => serializeImport(await createImport(ctx, input, file)),
  });
  endpoint(router, 'get /imports/:id', {
    access: 'admin',
    summary: 'Get the progress of an import',
    description: 'Poll it until `finished_at` is set. `errors_url` lists the rows that failed.',
    params: IdParams,
    reply: ImportJson,
    handle: async (ctx, { params }) => serializeImport(await getOwnImport(ctx, params.id)),
  });
  endpoint(router, 'get /imports/:id/errors', {
    access: 'admin',
    summary: 'List the errors of the rows of an import',
    description: 'The errors of about 10,000 rows are kept; `failed` of the import counts all.',
    params: IdParams,
    search: importErrorSearch,
    paged: { key: 'errors', item: ImportErrorJson },
    handle: (ctx, { params, list }) => listOwnImportErrors(ctx, params.id, list),
  });
  endpoint(router, 'delete /imports/:id', {
    access: 'admin',
    summary: 'Cancel an import',
    description: 'Rows that are already written stay. Fails if the import is finished.',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => cancelImport(ctx, params.id),
  });
  return router;
}
