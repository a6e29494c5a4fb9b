import { Command, CommanderError } from 'commander';
import { addBackup } from './commands/backup';
import { addDoctor } from './commands/doctor';
import { addExport } from './commands/export';
import { addFiles } from './commands/files';
import { addImport } from './commands/import';
import { addMigrate } from './commands/migrate';
import { addReconcile } from './commands/reconcile';
import { addSeed } from './commands/seed';
import { addToken } from './commands/token';
import { addUser } from './commands/user';
import { addVerify } from './commands/verify';
import { createCli, EXIT_CODES, type Io } from './cli';

const EPILOGUE = `
Run it as npm run store -- <command> or node bin/store.js <command>. The environment selects the store: DATABASE_URL, or
DATA_DIR with the embedded database. The store may be running or stopped.
Results go to stdout, everything else to stderr. In scripts use npm run store -s -- <command>, because npm prints extra
lines to stdout otherwise.

Exit codes: 0 success, 1 failure or problems found, 2 usage error.`;

/** Runs the command given by the arguments (without those of Node). @returns the exit code */
export async function runStore(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT_CODES.ok;
  try {
    await createProgram(io, (exitCode) => (code = exitCode)).parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Requested help exits with 0; help shown because of a missing command does not.
    return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.misuse;
  }
}

function createProgram(io: Io, finish: (code: number) => void): Command {
  const program = new Command('store')
    .description('Manages a store from the command line.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    })
    .showHelpAfterError('Run with --help for usage.')
    .addHelpText('after', EPILOGUE);
  const cli = createCli(io, finish);
  const commands = [
    addMigrate,
    addSeed,
    addUser,
    addToken,
    addVerify,
    addReconcile,
    addBackup,
    addFiles,
    addImport,
    addExport,
  ];
  for (const add of [...commands, addDoctor]) add(program, cli);
  return program;
}
