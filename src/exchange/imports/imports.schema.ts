import { z } from 'zod';
import { boolean, choice } from '../../platform/http/fields';
import { IMPORT_KINDS } from './import-kinds';
import { namedObject } from '../../platform/http/named-object';

export const ImportCreate = z.object({
  kind: choice(IMPORT_KINDS).required.describe('What the rows of the file are.'),
  dry_run: boolean().optional.describe('Checks all rows and writes none. Defaults to false.'),
  partial: boolean().optional.describe(
    'Writes the valid rows even if others are wrong. Defaults to false: all rows or none.',
  ),
});

export const ImportJson = namedObject('Import', {
  id: z.int(),
  kind: z.enum(IMPORT_KINDS),
  state: z
    .enum(['queued', 'running', 'done', 'failed', 'canceled'])
    .describe(
      'failed: nothing was written because rows are wrong, or `problem` says why. A partial import and a dry run end as done even if rows are wrong.',
    ),
  dry_run: z.boolean(),
  partial: z.boolean(),
  rows: z.int().nullable().describe('The number of rows in the file; null until it was counted.'),
  checked: z.int().describe('The number of rows that were checked. A partial import is not checked.'),
  done: z.int().describe('The number of rows that are written, or in a dry run valid.'),
  changed: z.int().describe('Of `done`, the rows that changed something.'),
  unchanged: z.int().describe('Of `done`, the rows that changed nothing.'),
  failed: z.int().describe('The number of rows with errors.'),
  ignored_columns: z.array(z.string()).describe('Columns of the file that are not read.'),
  problem: z.string().nullable().describe('Why the import failed as a whole; null otherwise.'),
  errors_url: z.string().describe('The path of the errors of the rows.'),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable().describe('Null while the import is queued or running.'),
});

export type ImportJson = z.output<typeof ImportJson>;

export const ImportErrorJson = namedObject('ImportError', {
  line: z.int().describe('The line of the file on which the row begins; the header is on line 1.'),
  column: z.string().nullable().describe('Null if the error concerns the whole row.'),
  reason: z.string(),
});
