import type { Command } from 'commander';
import { findBreaches, INVARIANTS, type Breach } from '../../sales/verify/find-breaches';
import { leaf, type Cli } from '../cli';
import { withStore } from '../open-store';

/** `store verify`: whether stock, orders, money, shipments and history add up. Changes nothing. */
export function addVerify(program: Command, cli: Cli): void {
  leaf(program, 'verify', {
    summary: 'Check that stock, orders, money, shipments and history add up',
    about: 'Reads the whole database and changes nothing; safe beside a running store.',
    codes: 'all holds, 1 something does not (it is listed) or could not be checked',
  }).action((options: { json?: boolean }) =>
    cli.report(options, () =>
      withStore(cli.io, 'current', async ({ db }) => {
        const breaches = await findBreaches(db);
        const json = { invariants: INVARIANTS.length, breaches };
        return { json, text: describe(breaches), failed: breaches.length > 0 };
      }),
    ),
  );
}

function describe(breaches: readonly Breach[]): string {
  if (breaches.length === 0) return `All ${INVARIANTS.length} invariants hold.`;
  const sections = breaches.map(({ invariant, rule, table, total, rows }) =>
    [
      `${invariant}: broken by ${total} of ${table}`,
      `  ${rule}.`,
      ...rows.map(({ id, detail }) => `  - ${id}: ${detail}`),
      ...(total > rows.length ? [`  - and ${total - rows.length} more`] : []),
    ].join('\n'),
  );
  return `${sections.join('\n\n')}\n\n${breaches.length} of ${INVARIANTS.length} invariants do not hold.`;
}
