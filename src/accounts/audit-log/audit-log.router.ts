import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { mapPage } from '../../platform/query-builder/page';
import { listAuditEntries } from './audit-log.service';
import type { AuditEntryRow } from './audit-log.repository';
import { auditLogSearch } from './audit-log.search';
import { namedObject } from '../../platform/http/named-object';

const AuditEntryJson = namedObject('AuditEntry', {
  id: z.int().describe('Increases with time.'),
  created_at: z.iso.datetime().describe('When the change was made.'),
  user_id: z.int().nullable().describe('The member of staff; null for jobs and the command line.'),
  user_email: z
    .string()
    .nullable()
    .meta({
      description:
        'Their e-mail address at that time, or the name of the job; it stays when the account is deleted.',
      examples: ['admin@example.com', 'job: delete abandoned carts', 'command line'],
    }),
  api_token_name: z.string().nullable().describe('The name of the API token of the request.'),
  request_id: z
    .string()
    .nullable()
    .describe('The `X-Request-Id` of the request; all changes of one request share it.'),
  address: z.string().nullable().describe('The network address of the client.'),
  action: z.enum(['create', 'update', 'delete']).describe('What happened to the record.'),
  subject_type: z.string().meta({
    description: 'The changed record. Prices belong to their variant, line items to their order.',
    examples: ['Store::Variant'],
  }),
  subject_id: z.int().nullable().describe('The id of the changed record.'),
  changes: z.record(z.string(), z.array(z.unknown()).length(2)).meta({
    description:
      'The values before and after, by column; null before a creation and after a deletion. Secrets are `***`.',
    examples: [{ amount: ['19.99', '24.99'] }],
  }),
});

type AuditEntryJson = z.output<typeof AuditEntryJson>;

export function auditLogRouter(): ApiRouter {
  const router = createApiRouter('Audit log', 'settings');

  endpoint(router, 'get /audit_log', {
    access: 'admin',
    summary: 'List the changes made by staff, jobs and the command line, newest first',
    description:
      'Every change of a record is an entry, written in the transaction of the change. The rows of an imported file name who sent it. The entries of an erasure have `***` for all values. Entries cannot be changed or deleted. Changes by shoppers are not logged; orders have a history.',
    search: auditLogSearch,
    paged: { key: 'audit_log', item: AuditEntryJson },
    private: true,
    handle: async (ctx, { list }) => mapPage(await listAuditEntries(ctx, list), serialize),
  });
  return router;
}

function serialize({ id, created_at, ...entry }: AuditEntryRow): AuditEntryJson {
  return { id: Number(id), created_at: created_at.toISOString(), ...entry };
}
