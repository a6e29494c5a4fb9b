import { Option, type Command } from 'commander';
import { MAX_PASSWORD_LENGTH, generatePassword, MIN_PASSWORD_LENGTH } from '../../accounts/passwords';
import { UserCreate } from '../../accounts/users/users.schema';
import { serializeUser } from '../../accounts/users/users.serializer';
import { createUser } from '../../accounts/users/users.service';
import { NEW_USER_PASSWORD, readNewUserPassword } from '../../config';
import { addCommand, type Cli, type Io, type Report } from '../cli';
import { CommandRefused } from '../failures';
import { parseInput, readPassword } from '../input';
import { createOperator, withStore } from '../open-store';

interface CreateOptions {
  json?: boolean;
  admin?: boolean;
  role?: string[];
  passwordStdin?: boolean;
}

/** Adds `store user`, which creates users. */
export function addUser(program: Command, cli: Cli): void {
  const user = program.command('user').description('Create users.');
  addCommand(user, 'create', {
    summary: 'Create a customer, a member of staff or an administrator',
    about: `The password is read from ${NEW_USER_PASSWORD} or stdin, or else generated. A generated password and the user's first API token are shown only once.`,
  })
    .argument('<email>', 'the e-mail address to sign in with')
    .addOption(new Option('--admin', 'create an administrator'))
    .addOption(
      new Option('--role <name>', 'create a member of staff with this role, such as support; repeatable')
        .argParser((role: string, others: string[] = []) => [...others, role])
        .conflicts('admin'),
    )
    .addOption(
      new Option(
        '--password-stdin',
        `read the password (${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters) from stdin; on a terminal, prompt without echo`,
      ),
    )
    .action((email: string, options: CreateOptions) =>
      cli.run(options, () => create(cli.io, email, options)),
    );
}

async function create(io: Io, email: string, { admin, role, passwordStdin }: CreateOptions): Promise<Report> {
  const given = passwordStdin === true ? await readPassword(io) : readNewUserPassword(io.env);
  const password = given ?? generatePassword();
  const roles = admin === true ? ['admin'] : (role ?? ['customer']);
  const input = parseInput(UserCreate, { email, password, roles });
  return withStore(io, 'migrated', async ({ db }) => {
    const known = await db('roles').orderBy('id').pluck<string[]>('name');
    const unknown = roles.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new CommandRefused(`there is no role ${unknown}; the roles are ${known.join(', ')}`);
    const operator = createOperator(db);
    const made = await createUser(operator, input.user);
    const generated = given === null ? password : null;
    const lines = [
      `Created user ${made.user.id}: ${made.user.email} (${made.user.roles.join(', ')}).`,
      ...(generated === null ? [] : [`  password       ${generated}`]),
      `  X-Store-Token  ${made.token}`,
      'These secrets are shown only once.',
    ];
    const json = { ...serializeUser(made.user, operator.actor), password: generated, token: made.token };
    return { json, text: lines.join('\n') };
  });
}
