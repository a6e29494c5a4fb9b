import { Argument, Option, type Command } from 'commander';
import { migrate, migrationStatus, rollback } from '../../boot/migrate';
import { leaf, type Cli, type Io, type Report } from '../cli';
import { withStore } from '../open-store';

type Direction = 'up' | 'down' | 'status';

/** `store migrate`: as every start does; and the way back, and how far the database is. */
export function addMigrate(program: Command, cli: Cli): void {
  const command: Command = leaf(program, 'migrate', {
    summary: 'Bring the database up to date, take the last run back, or tell how far it is',
    about:
      'Every start of the store does the first. Taking back drops tables with all that is in them: stop the store and make a backup before.',
    codes: 'done or up to date, 1 it could not be done or status finds migrations missing',
  })
    .addArgument(new Argument('[what]', 'up unless said').choices(['up', 'down', 'status']))
    .addOption(new Option('--down', 'the same as down'))
    .action((what: Direction | undefined, options: { json?: boolean; down?: boolean }) => {
      if (options.down === true && what !== undefined && what !== 'down')
        command.error(`error: --down contradicts ${what}`);
      const direction = options.down === true ? 'down' : (what ?? 'up');
      return cli.report(options, () => WAYS[direction](cli.io));
    });
}

const WAYS: Record<Direction, (io: Io) => Promise<Report>> = {
  up: (io) => withStore(io, 'made', async ({ db }) => tell('up', await migrate(db))),
  down: (io) => withStore(io, 'alone', async ({ db }) => tell('down', await rollback(db))),
  status: (io) =>
    withStore(io, 'existing', async ({ db }) => {
      const status = await migrationStatus(db);
      const lines = Object.entries(status).flatMap(
        ([state, names]) => (names as string[]).map((name) => `${state.padEnd(7)}  ${name}`), // the fields of MigrationStatus are lists of names
      );
      const failed = status.pending.length + status.unknown.length > 0;
      return { json: status, text: lines.join('\n'), failed };
    }),
};

function tell(direction: 'up' | 'down', migrations: string[]): Report {
  const lines = migrations.map((name) => `${direction} ${name}`);
  return {
    json: { direction, migrations },
    text: lines.length === 0 ? 'Nothing to do.' : lines.join('\n'),
  };
}
