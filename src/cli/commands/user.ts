import { Option, type Command } from 'commander';
import { LONGEST_PASSWORD, newPassword, SHORTEST_PASSWORD } from '../../accounts/passwords';
import { UserCreate } from '../../accounts/users/users.schema';
import { serializeUser } from '../../accounts/users/users.serializer';
import { createUser } from '../../accounts/users/users.service';
import { NEW_USER_PASSWORD, passwordOfNewUser } from '../../config';
import { leaf, type Cli, type Io, type Report } from '../cli';
import { checked, readSecret } from '../input';
import { asOperator, withStore } from '../open-store';

interface CreateOptions {
  json?: boolean;
  admin?: boolean;
  passwordStdin?: boolean;
}

/** `store user`: who can sign in. */
export function addUser(program: Command, cli: Cli): void {
  const user = program.command('user').description('Make users.');
  leaf(user, 'create', {
    summary: 'Make a user: a customer, or an administrator',
    about: `The password is what ${NEW_USER_PASSWORD} or stdin says, or else generated and shown this once, as is the user's first API token.`,
  })
    .argument('<email>', 'the e-mail address to sign in with')
    .addOption(new Option('--admin', 'make an administrator'))
    .addOption(
      new Option(
        '--password-stdin',
        `read the password (${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters) from stdin; a terminal is asked, without showing it`,
      ),
    )
    .action((email: string, options: CreateOptions) =>
      cli.report(options, () => create(cli.io, email, options)),
    );
}

async function create(io: Io, email: string, { admin, passwordStdin }: CreateOptions): Promise<Report> {
  const given = passwordStdin === true ? await readSecret(io, 'Password') : passwordOfNewUser(io.env);
  const password = given ?? newPassword();
  const role = admin === true ? 'admin' : 'customer';
  const input = checked(UserCreate, { email, password, roles: [role] });
  return withStore(io, 'current', async ({ db }) => {
    const made = await createUser(asOperator(db), input.user);
    const generated = given === null ? password : null;
    const lines = [
      `User ${made.user.id} made: ${made.user.email} (${made.user.roles.join(', ')})`,
      ...(generated === null ? [] : [`  password       ${generated}`]),
      `  X-Store-Token  ${made.token}`,
      'Shown this once only.',
    ];
    const json = { ...serializeUser(made.user), password: generated, token: made.token };
    return { json, text: lines.join('\n') };
  });
}
