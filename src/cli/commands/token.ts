import { Option, type Command } from 'commander';
import { ApiTokenCreate, type ApiTokenJson } from '../../accounts/api-tokens/api-tokens.schema';
import { apiTokenSearch } from '../../accounts/api-tokens/api-tokens.search';
import { serializeApiToken } from '../../accounts/api-tokens/api-tokens.serializer';
import { createApiToken, listApiTokens, removeApiToken } from '../../accounts/api-tokens/api-tokens.service';
import type { UserRow } from '../../accounts/users/users.repository';
import { requireUser, requireUserByEmail } from '../../accounts/users/users.service';
import type { Caller } from '../../access/context';
import { NotFound } from '../../platform/errors';
import { MAX_INT4 } from '../../platform/int4';
import { MAX_PER_PAGE, parseListQuery } from '../../platform/query-builder/list-query';
import { pagesOf } from '../../platform/query-builder/page';
import { leaf, type Cli, type Io, type Report } from '../cli';
import { CommandRefused } from '../failures';
import { checked, wholeNumber } from '../input';
import { asOperator, withStore } from '../open-store';

const USER = ['<user>', 'whose: an e-mail address, or the id of a user'] as const;

/** `store token`: the API tokens of a user. */
export function addToken(program: Command, cli: Cli): void {
  const token = program.command('token').description('Make, list and revoke the API tokens of a user.');
  leaf(token, 'create', {
    summary: 'Make one more API token for a user',
    about: 'It may do what its user may. It is shown this once; only its hash is kept.',
  })
    .argument(...USER)
    .addOption(new Option('--name <text>', 'what the token is for').default(''))
    .action((user: string, options: { json?: boolean; name: string }) =>
      cli.report(options, () => create(cli.io, user, options.name)),
    );
  leaf(token, 'list', {
    summary: 'List the API tokens of a user, newest first, revoked ones too',
    about: 'The tokens themselves cannot be shown.',
  })
    .argument(...USER)
    .action((user: string, options: { json?: boolean }) => cli.report(options, () => list(cli.io, user)));
  leaf(token, 'revoke', {
    summary: 'Revoke an API token: from the next request on nobody can use it',
    about: 'Repeating changes nothing. One that ADMIN_TOKEN names is valid again from the next start on.',
  })
    .argument(...USER)
    .argument('<id>', 'its id, as token list shows it', wholeNumber(MAX_ID))
    .action((user: string, id: number, options: { json?: boolean }) =>
      cli.report(options, () => revoke(cli.io, user, id)),
    );
}

const MAX_ID = MAX_INT4;

function create(io: Io, named: string, name: string): Promise<Report> {
  const { api_token } = checked(ApiTokenCreate, { name });
  return withUser(io, named, async (caller, user) => {
    const issued = await createApiToken(caller, user.id, api_token);
    return {
      json: { ...serializeApiToken(issued), token: issued.token },
      text: `Token ${issued.id} of ${user.email} made\n  X-Store-Token  ${issued.token}\nShown this once only.`,
    };
  });
}

function list(io: Io, named: string): Promise<Report> {
  return withUser(io, named, async (caller, user) => {
    const tokens = (await allTokens(caller, user.id)).map(serializeApiToken);
    const text = tokens.length === 0 ? `${user.email} has no tokens.` : tokens.map(describe).join('\n');
    return { json: { tokens }, text };
  });
}

async function allTokens(caller: Caller, userId: number) {
  const read = (page: number) =>
    listApiTokens(
      caller,
      userId,
      parseListQuery({ page: String(page), per_page: String(MAX_PER_PAGE) }, apiTokenSearch, true),
    );
  const first = await read(1);
  const rows = [...first.rows];
  for (let page = 2; page <= pagesOf(first); page++) rows.push(...(await read(page)).rows);
  return rows;
}

function describe({ id, name, created_at, revoked_at }: ApiTokenJson): string {
  const state = revoked_at === null ? 'valid' : `revoked ${revoked_at}`;
  return `${String(id).padStart(6)}  made ${created_at}  ${state.padEnd(32)}  ${name}`.trimEnd();
}

function revoke(io: Io, named: string, id: number): Promise<Report> {
  return withUser(io, named, async (caller, user) => {
    await foundOr(
      removeApiToken(caller, { user_id: user.id, id }),
      `${user.email} has no token ${id}: npm run store -- token list ${user.email} shows what there is`,
    );
    return { json: { id, revoked: true }, text: `Token ${id} of ${user.email} is revoked.` };
  });
}

function withUser(
  io: Io,
  named: string,
  work: (caller: Caller, user: UserRow) => Promise<Report>,
): Promise<Report> {
  return withStore(io, 'current', async ({ db }) => {
    const caller = asOperator(db);
    const isId = /^\d{1,10}$/.test(named) && Number(named) <= MAX_ID;
    const finding = isId ? requireUser(caller, Number(named)) : requireUserByEmail(caller, named);
    return work(caller, await foundOr(finding, `There is no user ${JSON.stringify(named)}`));
  });
}

async function foundOr<T>(finding: Promise<T>, otherwise: string): Promise<T> {
  try {
    return await finding;
  } catch (error) {
    throw error instanceof NotFound ? new CommandRefused(otherwise) : error;
  }
}
