import { stat } from 'node:fs/promises';
import { Argument, Option, type Command } from 'commander';
import { createProgressBar } from '../../../seeds/load/progress-bar';
import { createDeps } from '../../boot/deps';
import { IMPORT_KINDS, type ImportKind } from '../../exchange/imports/import-kinds';
import { serializeImport } from '../../exchange/imports/imports.serializer';
import { getImport, listImportErrors, queueImport } from '../../exchange/imports/imports.service';
import { importErrorSearch } from '../../exchange/imports/imports.search';
import { runImports } from '../../exchange/imports/run-import';
import { parseListQuery } from '../../platform/query-builder/list-query';
import { addCommand, type Cli, type Io, type Report } from '../cli';
import { CommandRefused } from '../failures';
import { COMMAND_LINE, withStore } from '../open-store';

interface ImportOptions {
  json?: boolean;
  dryRun?: boolean;
  partial?: boolean;
}

/** The number of row errors that are printed. */
const SHOWN_ERRORS = 100;

/** Adds `store import`, which imports a CSV file. */
export function addImport(program: Command, cli: Cli): void {
  addCommand(program, 'import', {
    summary: 'Import a CSV file of products, stock, prices, customers, shipments or orders',
    about:
      'The columns are the same as in the exports; the guide "Moving in" lists the columns of orders. All rows are checked first, and nothing is written if one is wrong. If the command is interrupted, a running store continues the import.',
    codes: 'success, 1 rows with errors (listed) or failure',
  })
    .addArgument(new Argument('<kind>', 'what the rows are').choices(IMPORT_KINDS))
    .argument('<file>', 'the CSV file')
    .addOption(new Option('--dry-run', 'check all rows and write none'))
    .addOption(new Option('--partial', 'write the valid rows even if others are wrong'))
    .action((kind: ImportKind, file: string, options: ImportOptions) =>
      cli.run(options, () => importFile(cli.io, { kind, file }, options)),
    );
}

async function importFile(
  io: Io,
  { kind, file }: { kind: ImportKind; file: string },
  { dryRun, partial }: ImportOptions,
): Promise<Report> {
  const isFile = await stat(file).then(
    (info) => info.isFile(),
    () => false,
  );
  if (!isFile) throw new CommandRefused(`there is no file ${file}`);
  return withStore(io, 'migrated', async ({ config, db, log }) => {
    const deps = { ...(await createDeps(config, db, log)), author: COMMAND_LINE };
    const order = { kind, dry_run: dryRun === true, partial: partial === true };
    const { id } = await queueImport({ ...deps, user_id: null }, order, file);
    const bars = {
      checked: createProgressBar('rows checked', io.stderr),
      written: createProgressBar('rows written', io.stderr),
    };
    // A running store may be faster to claim it, and then this waits.
    while ((await getImport(deps, id)).finished_at === null) {
      await runImports(deps, { id, onProgress: (phase, done, total) => bars[phase](done, total) });
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const result = serializeImport(await getImport(deps, id));
    const query = parseListQuery({ per_page: String(SHOWN_ERRORS) }, importErrorSearch, true);
    const errors = await listImportErrors(deps, id, query);
    const failed = result.state !== 'done' || result.failed > 0;
    return { json: { ...result, errors: errors.rows }, text: formatResult(result, errors), failed };
  });
}

const POLL_MS = 200;

function formatResult(
  result: ReturnType<typeof serializeImport>,
  errors: Awaited<ReturnType<typeof listImportErrors>>,
): string {
  const more = errors.total - errors.rows.length;
  const verb = result.dry_run ? 'valid' : 'written';
  return [
    `${result.kind}: ${result.rows ?? 0} rows, ${result.done} ${verb} (${result.changed} changed, ${result.unchanged} unchanged), ${result.failed} with errors.`,
    ...(result.ignored_columns.length > 0 ? [`Ignored columns: ${result.ignored_columns.join(', ')}.`] : []),
    ...(result.problem === null ? [] : [result.problem]),
    ...errors.rows.map(
      ({ line, column, reason }) => `  line ${line}: ${column === null ? '' : `${column} `}${reason}`,
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(result.state === 'failed' && result.done === 0 ? ['Nothing was written.'] : []),
  ].join('\n');
}
