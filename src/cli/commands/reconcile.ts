import { InvalidArgumentError, Option, type Command } from 'commander';
import { loadStoreSecret } from '../../boot/store-secret';
import { DAY_MS, isCalendarDate } from '../../platform/calendar';
import { builtInGateways } from '../../sales/payment-processing/gateways/registry';
import { reconcilePayments, type Reconciliation } from '../../sales/payment-processing/reconcile-payments';
import type { Difference } from '../../sales/payment-processing/reconcile-rules';
import { addCommand, type Cli, type Io, type Report } from '../cli';
import { CommandRefused } from '../failures';
import { withStore } from '../open-store';

interface ReconcileOptions {
  json?: boolean;
  from?: string;
  to?: string;
}

/** Adds `store reconcile`, which compares captures and refunds with the lists of the payment providers. */
export function addReconcile(program: Command, cli: Cli): void {
  addCommand(program, 'reconcile', {
    summary: 'Compare captures and refunds with the lists of the payment providers',
    about:
      'Days are in UTC and inclusive; defaults to yesterday. Reads only, here and at the providers. The test gateway keeps its list in the memory of a process.',
    codes: 'no differences, 1 differences found (listed) or failure',
  })
    .addOption(new Option('--from <date>', 'the first day, such as 2026-01-31').argParser(parseDay))
    .addOption(new Option('--to <date>', 'the last day; defaults to the first').argParser(parseDay))
    .action((options: ReconcileOptions) => cli.run(options, () => reconcile(cli.io, options)));
}

function parseDay(text: string): string {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('Must be a date such as 2026-01-31.');
  return text;
}

async function reconcile(io: Io, options: ReconcileOptions): Promise<Report> {
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const first = options.from ?? options.to ?? yesterday;
  const last = options.to ?? first;
  if (last < first) throw new CommandRefused('--to is before --from; name the first day in --from');
  const period = { from: new Date(first), to: new Date(new Date(last).getTime() + DAY_MS) };
  return withStore(io, 'migrated', async ({ config, db }) => {
    const secret = await loadStoreSecret({ ...config, isReadOnly: true }, db);
    const methods = await reconcilePayments({ db, secret, gateways: builtInGateways }, period);
    return buildReport({ from: first, to: last }, methods);
  });
}

function buildReport(days: { from: string; to: string }, methods: readonly Reconciliation[]): Report {
  const count = methods.reduce((sum, { differences }) => sum + differences.length, 0);
  const sections = methods.map(({ name, gateway, movements, differences }) =>
    [
      `${name} (${gateway}): ${movements} captures and refunds, differences: ${differences.length}`,
      ...differences.map((difference) => `  - ${describe(difference)}`),
    ].join('\n'),
  );
  const period = days.from === days.to ? days.from : `${days.from} to ${days.to}`;
  const text =
    methods.length === 0 ? 'No payment method has a provider that lists payments.' : sections.join('\n');
  return { json: { ...days, methods }, text: `${period}\n${text}`, failed: count > 0 };
}

const KINDS = { capture: 'capture', refund: 'refund', failed_refund: 'failed refund' } as const;

function describe(difference: Difference): string {
  const { day, kind, payment_number, references, currency, here, there, state } = difference;
  const amount = (value: string | null): string => (value === null ? 'nothing' : `${value} ${currency}`);
  const missing = state === null ? 'no such payment' : `nothing, it is ${state}`;
  const ids = references.length === 0 ? '' : ` (${references.join(', ')})`;
  return `${day} ${KINDS[kind]} of ${payment_number ?? 'an unknown payment'}: here ${
    here === null ? missing : amount(here)
  }, there ${amount(there)}${ids}`;
}
