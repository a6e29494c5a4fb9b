import { Argument, Option, type Command } from 'commander';
import { migrate, getMigrationStatus, rollback } from '../../boot/migrate';
import { addCommand, type Cli, type Io, type Report } from '../cli';
import { withStore } from '../open-store';

type Direction = 'up' | 'down' | 'status';

/** Adds `store migrate`, which runs, reverts or lists migrations. */
export function addMigrate(program: Command, cli: Cli): void {
  const command: Command = addCommand(program, 'migrate', {
    summary: 'Run pending migrations, revert the last batch, or show the status',
    about:
      'The store runs pending migrations at every start. Reverting drops tables and columns with their data; stop the store and make a backup first.',
    codes: 'success or up to date, 1 failure, or status found pending or unknown migrations',
  })
    .addArgument(new Argument('[what]', 'defaults to up').choices(['up', 'down', 'status']))
    .addOption(new Option('--down', 'same as down'))
    .action((what: Direction | undefined, options: { json?: boolean; down?: boolean }) => {
      if (options.down === true && what !== undefined && what !== 'down')
        command.error(`error: --down contradicts ${what}`);
      const direction = options.down === true ? 'down' : (what ?? 'up');
      return cli.run(options, () => RUNNERS[direction](cli.io));
    });
}

const RUNNERS: Record<Direction, (io: Io) => Promise<Report>> = {
  up: (io) =>
    withStore(io, 'created', async ({ db }) =>
      reportRun('up', await migrate(db, { areFunctionsForced: true })),
    ),
  down: (io) => withStore(io, 'exclusive', async ({ db }) => reportRun('down', await rollback(db))),
  status: (io) =>
    withStore(io, 'existing', async ({ db }) => {
      const status = await getMigrationStatus(db);
      const lines = Object.entries(status).flatMap(
        ([state, names]) => (names as string[]).map((name) => `${state.padEnd(7)}  ${name}`), // the fields of MigrationStatus are lists of names
      );
      const failed = status.pending.length + status.unknown.length > 0;
      return { json: status, text: lines.join('\n'), failed };
    }),
};

function reportRun(direction: 'up' | 'down', migrations: string[]): Report {
  const lines = migrations.map((name) => `${direction} ${name}`);
  return {
    json: { direction, migrations },
    text: lines.length === 0 ? 'No migrations to run.' : lines.join('\n'),
  };
}
