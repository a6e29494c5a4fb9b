import { Option, type Command } from 'commander';
import { ApiTokenCreate, type ApiTokenJson } from '../../accounts/api-tokens/api-tokens.schema';
import { apiTokenSearch } from '../../accounts/api-tokens/api-tokens.search';
import { serializeApiToken } from '../../accounts/api-tokens/api-tokens.serializer';
import { createApiToken, listApiTokens, removeApiToken } from '../../accounts/api-tokens/api-tokens.service';
import type { UserRow } from '../../accounts/users/users.repository';
import { getUserRow, getUserByEmail } from '../../accounts/users/users.service';
import type { AccountsCtx } from '../../access/context';
import { NotFound } from '../../platform/errors';
import { MAX_INT4 } from '../../platform/int4';
import { MAX_PER_PAGE, parseListQuery } from '../../platform/query-builder/list-query';
import { countPages } from '../../platform/query-builder/page';
import { addCommand, type Cli, type Io, type Report } from '../cli';
import { CommandRefused } from '../failures';
import { parseInput, parseWholeNumber } from '../input';
import { createOperator, withStore } from '../open-store';

const USER = ['<user>', 'the e-mail address or the id of a user'] as const;

/** Adds `store token`, which manages the API tokens of a user. */
export function addToken(program: Command, cli: Cli): void {
  const token = program.command('token').description('Create, list and revoke the API tokens of a user.');
  addCommand(token, 'create', {
    summary: 'Create an API token for a user',
    about: "The token has its user's permissions. It is shown only once; the store keeps only its hash.",
  })
    .argument(...USER)
    .addOption(new Option('--name <text>', 'a name that says what the token is for').default(''))
    .action((user: string, options: { json?: boolean; name: string }) =>
      cli.run(options, () => create(cli.io, user, options.name)),
    );
  addCommand(token, 'list', {
    summary: 'List the API tokens of a user, newest first, including revoked ones',
    about: 'The tokens themselves cannot be shown.',
  })
    .argument(...USER)
    .action((user: string, options: { json?: boolean }) => cli.run(options, () => list(cli.io, user)));
  addCommand(token, 'revoke', {
    summary: 'Revoke an API token with immediate effect',
    about: 'Safe to repeat. The token in ADMIN_TOKEN becomes valid again at the next start.',
  })
    .argument(...USER)
    .argument('<id>', 'the id of the token, as shown by token list', parseWholeNumber(MAX_ID))
    .action((user: string, id: number, options: { json?: boolean }) =>
      cli.run(options, () => revoke(cli.io, user, id)),
    );
}

const MAX_ID = MAX_INT4;

function create(io: Io, named: string, name: string): Promise<Report> {
  const { api_token } = parseInput(ApiTokenCreate, { name });
  return withUser(io, named, async (caller, user) => {
    const issued = await createApiToken(caller, user.id, api_token);
    return {
      json: { ...serializeApiToken(issued), token: issued.token },
      text: `Created token ${issued.id} for ${user.email}.\n  X-Store-Token  ${issued.token}\nThe token is shown only once.`,
    };
  });
}

function list(io: Io, named: string): Promise<Report> {
  return withUser(io, named, async (caller, user) => {
    const tokens = (await listAllTokens(caller, user.id)).map(serializeApiToken);
    const text = tokens.length === 0 ? `${user.email} has no tokens.` : tokens.map(formatToken).join('\n');
    return { json: { tokens }, text };
  });
}

async function listAllTokens(caller: AccountsCtx, userId: number) {
  const read = (page: number) =>
    listApiTokens(
      caller,
      userId,
      parseListQuery({ page: String(page), per_page: String(MAX_PER_PAGE) }, apiTokenSearch, true),
    );
  const first = await read(1);
  const rows = [...first.rows];
  for (let page = 2; page <= countPages(first); page++) rows.push(...(await read(page)).rows);
  return rows;
}

function formatToken({ id, name, created_at, revoked_at }: ApiTokenJson): string {
  const state = revoked_at === null ? 'valid' : `revoked ${revoked_at}`;
  return `${String(id).padStart(6)}  created ${created_at}  ${state.padEnd(32)}  ${name}`.trimEnd();
}

function revoke(io: Io, named: string, id: number): Promise<Report> {
  return withUser(io, named, async (caller, user) => {
    await refuseNotFound(
      removeApiToken(caller, { user_id: user.id, id }),
      `${user.email} has no token ${id}; run npm run store -- token list ${user.email} to see all tokens`,
    );
    return { json: { id, revoked: true }, text: `Revoked token ${id} of ${user.email}.` };
  });
}

function withUser(
  io: Io,
  named: string,
  work: (caller: AccountsCtx, user: UserRow) => Promise<Report>,
): Promise<Report> {
  return withStore(io, 'migrated', async ({ db }) => {
    const caller = createOperator(db);
    const isId = /^\d{1,10}$/.test(named) && Number(named) <= MAX_ID;
    const finding = isId ? getUserRow(caller, Number(named)) : getUserByEmail(caller, named);
    return work(caller, await refuseNotFound(finding, `there is no user ${JSON.stringify(named)}`));
  });
}

/** Awaits `finding`. @throws CommandRefused with `message` if the record does not exist */
async function refuseNotFound<T>(finding: Promise<T>, message: string): Promise<T> {
  try {
    return await finding;
  } catch (error) {
    throw error instanceof NotFound ? new CommandRefused(message) : error;
  }
}
