import { open } from 'node:fs/promises';
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { createProgressBar } from '../../../seeds/load/progress-bar';
import { buildProgramActor } from '../../access/actor';
import { EXPORT_NAMES, EXPORTS, type ExportName } from '../../exchange/exports/export-sources';
import { countExport, exportCsv } from '../../exchange/exports/exports.service';
import { parseBrackets } from '../../platform/parameters';
import { parseListQuery, type ListQuery } from '../../platform/query-builder/list-query';
import { parseTimestamp } from '../../platform/timestamp';
import { addCommand, type Cli, type Io, type Report } from '../cli';
import { CommandRefused } from '../failures';
import { withStore } from '../open-store';

interface ExportOptions {
  json?: boolean;
  since?: string;
  where?: string[];
}

/** Adds `store export`, which writes records as CSV. */
export function addExport(program: Command, cli: Cli): void {
  addCommand(program, 'export', {
    summary: 'Write records as CSV to a file or to stdout',
    about: 'Products, stock, prices and customers can be imported again.',
  })
    .addArgument(new Argument('<name>', 'what to export').choices(EXPORT_NAMES))
    .argument('[file]', 'the file to create or replace; defaults to stdout')
    .addOption(
      new Option('--since <date>', 'only records created at or after this time').argParser(parseDate),
    )
    .addOption(
      new Option('--where <condition...>', 'conditions as in q of the API, such as state_eq=complete'),
    )
    .action((name: ExportName, file: string | undefined, options: ExportOptions) =>
      cli.run(options, () => exportRecords(cli.io, { name, file: file ?? null }, options)),
    );
}

function parseDate(text: string): string {
  if (parseTimestamp(text) === null) throw new InvalidArgumentError('Must be a date such as 2026-01-31.');
  return text;
}

async function exportRecords(
  io: Io,
  { name, file }: { name: ExportName; file: string | null },
  options: ExportOptions,
): Promise<Report> {
  const list = parseConditions(name, options);
  return withStore(io, 'migrated', async ({ db }) => {
    const total = await countExport({ db }, name, list);
    const showProgress = createProgressBar(name, io.stderr);
    let records = 0;
    const chunks = exportCsv({ db, actor: buildProgramActor() }, name, list, (count) => {
      records += count;
      showProgress(Math.min(records, total), total);
    });
    if (file === null) {
      for await (const chunk of chunks) await writeOut(io, chunk);
      return { json: { records }, text: null };
    }
    const handle = await open(file, 'w');
    try {
      for await (const chunk of chunks) await handle.write(chunk);
    } finally {
      await handle.close();
    }
    return { json: { file, records }, text: `${file}: ${records} records.` };
  });
}

/** Writes to stdout, and waits until a pipe has taken what it could not take at once. */
async function writeOut({ stdout }: Io, text: string): Promise<void> {
  if (stdout.write(text) !== false || stdout.once === undefined) return;
  await new Promise<void>((resolve) => stdout.once?.('drain', resolve));
}

/** @throws CommandRefused for an unknown condition */
function parseConditions(name: ExportName, { since, where = [] }: ExportOptions): ListQuery {
  const { search } = EXPORTS[name];
  const conditions = [...where, ...(since === undefined ? [] : [`created_at_gteq=${since}`])];
  const pairs = conditions.map((condition) => {
    const at = condition.indexOf('=');
    return `q[${condition.slice(0, Math.max(at, 0))}]=${encodeURIComponent(condition.slice(at + 1))}`;
  });
  const list = parseListQuery(parseBrackets(pairs.join('&')), search, true);
  const [wrong] = [...list.ignored, ...list.unreadable];
  if (wrong === undefined) return list;
  throw new CommandRefused(`${name} cannot be filtered by ${wrong}; the API reference lists the conditions`);
}
