import { InvalidArgumentError, Option, type Command } from 'commander';
import { ApiTokenCreate } from '../../accounts/api-tokens/api-tokens.schema';
import {
  ApiToken,
  serializeApiToken,
  type ApiTokenJson,
} from '../../accounts/token-store/api-tokens.definition';
import { createApiToken, listApiTokens, removeApiToken } from '../../accounts/api-tokens/api-tokens.service';
import type { UserRow } from '../../accounts/users/users.repository';
import { getUserRow, getUserByEmail } from '../../accounts/users/users.service';
import type { AccountsCtx } from '../../access/context';
import { AREAS, EVERYTHING, SCOPES } from '../../access/scopes';
import { loadConfig } from '../../config';
import { NotFound } from '../../platform/errors';
import { MAX_INT4 } from '../../platform/int4';
import { omitUndefined } from '../../platform/omit-undefined';
import { parseTimestamp } from '../../platform/timestamp';
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
    about:
      "The token has at most its user's permissions. It is shown only once; the store keeps only its hash.",
  })
    .argument('[user]', `${USER[1]}; defaults to the administrator in ADMIN_EMAIL`)
    .addOption(new Option('--name <text>', 'a name that says what the token is for').default(''))
    .addOption(
      new Option(
        '--scope <scope>',
        `limit the token to a scope, such as stock:write; repeatable (areas: ${AREAS.join(', ')})`,
      ).argParser(parseScopes),
    )
    .addOption(
      new Option(
        '--expires <time>',
        'when the token expires: after a number of hours or days (12h, 90d), or at a date',
      ).argParser(parseExpiry),
    )
    .action((user: string | undefined, options: CreateOptions) =>
      cli.run(options, () => create(cli.io, user, options)),
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

interface CreateOptions {
  json?: boolean;
  name: string;
  /** Each may be several scopes, separated by commas. */
  scope?: string[];
  expires?: Date;
}

/** Parses scopes, separated by commas, and adds them to `others`. @throws InvalidArgumentError (a usage error) */
function parseScopes(text: string, others: string[] = []): string[] {
  const known: readonly string[] = [...SCOPES, EVERYTHING];
  const wrong = text.split(',').find((word) => word.trim() !== '' && !known.includes(word.trim()));
  if (wrong !== undefined) throw new InvalidArgumentError(`Must be one of ${known.join(', ')}.`);
  return [...others, text];
}

/** Parses `12h`, `90d` or a date. @throws InvalidArgumentError (a usage error) */
function parseExpiry(text: string): Date {
  const [, amount, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const time =
    amount === undefined
      ? parseTimestamp(text)
      : new Date(Date.now() + Number(amount) * (unit === 'h' ? HOUR_MS : 24 * HOUR_MS));
  if (time !== null && time > new Date()) return time;
  throw new InvalidArgumentError('Must be like 12h or 90d, or a date in the future.');
}

const HOUR_MS = 3_600_000;

function create(io: Io, named: string | undefined, { name, scope, expires }: CreateOptions): Promise<Report> {
  const limits = { scopes: scope?.join(','), expires_at: expires?.toISOString() };
  const body = parseInput(ApiTokenCreate, { name, ...omitUndefined(limits) });
  return withUser(io, named ?? loadConfig(io.env).admin.email, async (caller, user) => {
    const issued = await createApiToken(caller, user.id, body);
    const shown = serializeApiToken(issued);
    const text = [
      `Created token ${issued.id} for ${user.email} (${describeLimits(shown)}).`,
      `  X-Store-Token  ${issued.token}`,
      'The token is shown only once.',
    ];
    return { json: { ...shown, token: issued.token }, text: text.join('\n') };
  });
}

function describeLimits({ scopes, expires_at }: ApiTokenJson): string {
  const limits = scopes.includes(EVERYTHING) ? "all of the user's permissions" : scopes.join(', ');
  return `${limits}; ${expires_at === null ? 'does not expire' : `expires ${expires_at}`}`;
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
      parseListQuery({ page: String(page), per_page: String(MAX_PER_PAGE) }, ApiToken.search, true),
    );
  const first = await read(1);
  const rows = [...first.rows];
  for (let page = 2; page <= countPages(first); page++) rows.push(...(await read(page)).rows);
  return rows;
}

function formatToken({ id, name, scopes, created_at, revoked_at, expires_at }: ApiTokenJson): string {
  const isExpired = expires_at !== null && new Date(expires_at) <= new Date();
  const state =
    revoked_at !== null
      ? `revoked ${revoked_at}`
      : expires_at === null
        ? 'valid'
        : `${isExpired ? 'expired' : 'expires'} ${expires_at}`;
  const limits = scopes.join(',');
  return `${String(id).padStart(6)}  created ${created_at}  ${state.padEnd(32)}  ${limits}  ${name}`.trimEnd();
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
