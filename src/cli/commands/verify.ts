import type { Command } from 'commander';
import { findViolations, INVARIANTS, type Violation } from '../../sales/verify/find-violations';
import { addCommand, type Cli } from '../cli';
import { withStore } from '../open-store';

/** Adds `store verify`, which checks stock, orders, payments, shipments and history for consistency. */
export function addVerify(program: Command, cli: Cli): void {
  addCommand(program, 'verify', {
    summary: 'Check stock, orders, payments, shipments and history for consistency',
    about: 'Reads the whole database and changes nothing; safe while the store is running.',
    codes: 'no violations, 1 violations found (listed) or failure',
  }).action((options: { json?: boolean }) =>
    cli.run(options, () =>
      withStore(cli.io, 'migrated', async ({ db }) => {
        const breaches = await findViolations(db);
        const json = { invariants: INVARIANTS.length, breaches };
        return { json, text: formatBreaches(breaches), failed: breaches.length > 0 };
      }),
    ),
  );
}

function formatBreaches(breaches: readonly Violation[]): string {
  if (breaches.length === 0) return `All ${INVARIANTS.length} invariants hold.`;
  const sections = breaches.map(({ invariant, rule, table, total, rows }) =>
    [
      `${invariant}: ${total} violations in ${table}`,
      `  ${rule}.`,
      ...rows.map(({ id, detail }) => `  - ${id}: ${detail}`),
      ...(total > rows.length ? [`  - and ${total - rows.length} more`] : []),
    ].join('\n'),
  );
  return `${sections.join('\n\n')}\n\n${breaches.length} of ${INVARIANTS.length} invariants are violated.`;
}
