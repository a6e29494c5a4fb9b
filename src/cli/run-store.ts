import { Command, CommanderError } from 'commander';
import { addDoctor } from './commands/doctor';
import { addMigrate } from './commands/migrate';
import { addSeed } from './commands/seed';
import { addToken } from './commands/token';
import { addUser } from './commands/user';
import { addVerify } from './commands/verify';
import { createCli, EXIT_CODES, type Io } from './cli';

const EPILOGUE = `
Run it as npm run store -- <command>, or node bin/store.js <command>. It takes the settings of the store from the
environment: DATABASE_URL, or DATA_DIR with the embedded database, beside a running store or without.
Results go to stdout, everything else to stderr. In scripts use npm run store -s -- <command>, or npm adds lines of its
own to stdout.

Exit codes: 0 done, 1 it could not be done or something was found, 2 misuse.`;

/** Does what the arguments (without those of Node) say. @returns the exit code */
export async function runStore(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT_CODES.ok;
  try {
    await storeProgram(io, (decided) => (code = decided)).parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help that was asked for ends with 0; help for want of a command does not.
    return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.misuse;
  }
}

function storeProgram(io: Io, finish: (code: number) => void): Command {
  const program = new Command('store')
    .description('Looks after a store from the command line.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    })
    .showHelpAfterError('Add --help to see how it is used.')
    .addHelpText('after', EPILOGUE);
  const cli = createCli(io, finish);
  for (const add of [addMigrate, addSeed, addUser, addToken, addVerify, addDoctor]) add(program, cli);
  return program;
}
