import { Client } from 'pg';
import { isError } from '../error-code';
import { READ_ONLY_STATE } from './pg-errors';

/** What a connection must lead to, as `target_session_attrs` of libpq. */
const TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby'] as const;

type Target = (typeof TARGETS)[number];

/** The servers of a URL, which are copies of one database. */
export interface Hosts {
  /** One URL for each, in their order. */
  urls: readonly string[];
  target: Target;
}

/** The scheme with the slashes, the user and the password, the hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(\/[^?#]+.*)$/;

/** Parses a URL like `postgres://user@host1,host2:5433/database?target_session_attrs=read-write`; null if it is none. */
export function parseHosts(text: string): Hosts | null {
  const [, scheme, user = '', list, rest] = PARTS.exec(text) ?? [];
  if (scheme === undefined || list === undefined || rest === undefined) return null;
  const names = list.split(',');
  const texts = names.map((host) => `${scheme}${user}${host}${rest}`);
  if (!texts.every((one) => URL.canParse(one)) || (names.length > 1 && names.includes(''))) return null;
  const urls = texts.map((one) => new URL(one));
  const named = urls[0]?.searchParams.get('target_session_attrs') ?? 'any';
  const target = TARGETS.find((one) => one === named);
  if (target === undefined) return null;
  // Without it, the text of the other parameters stays as it is.
  if (target !== 'any') for (const { searchParams } of urls) searchParams.delete('target_session_attrs');
  return { urls: urls.map(({ href }) => href), target };
}

/** Returns the hosts for messages: `host1:5432, host2:5433`. */
export function nameHosts(text: string): string {
  const urls = (parseHosts(text)?.urls ?? []).map((url) => new URL(url));
  return urls.map(({ hostname, port }) => `${hostname}:${port || '5432'}`).join(', ');
}

/** A server is not what `target_session_attrs` asks for. The code is that of a refused write, which passes likewise. */
class WrongTarget extends Error {
  readonly code = READ_ONLY_STATE;
}

/** Whether a server may be used: it answers `SELECT pg_is_in_recovery(), transaction_read_only`. */
const FITS: Record<Target, (isStandby: boolean, isReadOnly: boolean) => boolean> = {
  any: () => true,
  'read-write': (_isStandby, isReadOnly) => !isReadOnly,
  'read-only': (_isStandby, isReadOnly) => isReadOnly,
  primary: (isStandby) => !isStandby,
  standby: (isStandby) => isStandby,
};

/**
 * Returns the URL of the server that a connection must use: the first to answer of those that `target_session_attrs` allows.
 * node-postgres knows one host only. A URL with one host and no such parameter is returned without asking.
 * @throws the error of each host, as an AggregateError, or the only one
 */
export async function chooseHost(text: string, withinMs: number): Promise<string> {
  const hosts = parseHosts(text);
  if (hosts === null || isPlain(hosts)) return text;
  try {
    return await Promise.any(hosts.urls.map((url) => requireFit(url, hosts.target, withinMs)));
  } catch (error) {
    throw error instanceof AggregateError && error.errors.length === 1 ? error.errors[0] : error;
  }
}

/** Whether the URL names one server, whatever it is. */
function isPlain({ urls, target }: Hosts): boolean {
  return urls.length === 1 && target === 'any';
}

async function requireFit(url: string, target: Target, withinMs: number): Promise<string> {
  const limits = { connectionTimeoutMillis: withinMs, query_timeout: withinMs };
  const client = new Client({ connectionString: url, ...limits });
  client.on('error', () => undefined); // the query also reports a lost connection
  try {
    await client.connect();
    const { rows } = await client.query<ServerState>(SERVER_STATE);
    const [state] = rows;
    if (state === undefined || !FITS[target](state.is_standby, state.is_read_only))
      throw new WrongTarget(`the server is not ${target}`);
    return url;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** The row of `SERVER_STATE`. */
export interface ServerState {
  is_standby: boolean;
  is_read_only: boolean;
}

/** Selects whether a server is a standby, and whether it refuses writes of this session. */
export const SERVER_STATE = `SELECT pg_is_in_recovery() AS is_standby,
  current_setting('transaction_read_only') = 'on' AS is_read_only`;

/** Whether no host failed for another reason than its state: one of them may be promoted soon. */
export function isPromotionPending(error: unknown): boolean {
  if (error instanceof WrongTarget) return true;
  return (
    isError(error) &&
    'errors' in error &&
    Array.isArray(error.errors) &&
    error.errors.some(isPromotionPending)
  );
}

/** The URL that a pool connects to. */
export interface HostChoice {
  /** Returns the URL. Calls at the same time share one choice. */
  choose: () => Promise<string>;
  /** Whether the next connection needs a choice. */
  isOpen: () => boolean;
  /** A connection was lost, could not be made, or refused a write: if there are several hosts, another one may be right. */
  reopen: () => void;
}

/**
 * Creates the choice between the hosts of a URL. A function returns a URL with one host, and is called once. `onMove` is called when
 * the choice falls on another host than before, whose connections must not be used any more: it may be frozen, or a second primary.
 */
export function createHostChoice(
  url: string | (() => Promise<string>),
  { withinMs, onMove }: { withinMs: number; onMove: () => void },
): HostChoice {
  const hosts = typeof url === 'string' ? parseHosts(url) : null;
  const isFixed = hosts === null || isPlain(hosts);
  let isOpen = true;
  let running: Promise<string> | null = null;
  let last: string | null = null;
  const find = async (): Promise<string> => {
    const found = await (typeof url === 'string' ? chooseHost(url, withinMs) : url());
    isOpen = false;
    if (last !== null && last !== found) onMove();
    last = found;
    return found;
  };
  return {
    choose: () =>
      (running ??= find().finally(() => {
        running = null;
      })),
    isOpen: () => isOpen,
    reopen: () => {
      isOpen ||= !isFixed;
    },
  };
}
