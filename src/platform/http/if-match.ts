import { PreconditionFailed } from '../errors';
import type { TransactionHooks, Tx } from '../database/transaction';
import type { Endpoint, EndpointDescription } from './endpoint';

type Renaming = (written: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** The endpoint that replies with the record that another one changes, and the names of its path parameters there. */
export interface RecordReader<Ctx, Access extends string> {
  endpoint: Endpoint<Ctx, Access>;
  /** Path parameters of the reader by those of the writer. */
  params: Renaming;
}

/**
 * Finds the endpoint whose `ETag` an `If-Match` of this one refers to: GET of the same path, else of the nearest parent
 * record (the order of a line item). Null if there is none, and for endpoints that change nothing.
 */
export function findRecordReader<Ctx, Access extends string>(
  endpoint: EndpointDescription,
  endpoints: readonly Endpoint<Ctx, Access>[],
  toRecordPath: (path: string) => string,
): RecordReader<Ctx, Access> | null {
  if (endpoint.method !== 'put' && endpoint.method !== 'delete') return null;
  const segments = toRecordPath(endpoint.path).split('/');
  for (let length = segments.length; length > 2; length -= 1) {
    const path = segments.slice(0, length);
    // Only of the record itself: a parent without a parameter is a list.
    if (!isParameter(path.at(-1)) && length < segments.length) continue;
    const reader = endpoints.find((one) => isReaderOf(one, path));
    if (reader !== undefined)
      return { endpoint: reader, params: buildRenaming(path, reader.path.split('/')) };
  }
  return null;
}

function isReaderOf({ method, paged, path }: EndpointDescription, wanted: readonly string[]): boolean {
  if (method !== 'get' || paged !== undefined) return false;
  const segments = path.split('/');
  return (
    segments.length === wanted.length &&
    segments.every(
      (segment, index) => segment === wanted[index] || (isParameter(segment) && isParameter(wanted[index])),
    )
  );
}

const isParameter = (segment: string | undefined): boolean => segment?.startsWith(':') === true;

function buildRenaming(written: readonly string[], read: readonly string[]): Renaming {
  const names = read.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1), (written[index] ?? '').slice(1)] as const] : [],
  );
  return (params) => Object.fromEntries(names.map(([reader, writer]) => [reader, params[writer]]));
}

/**
 * Whether an `If-Match` header contains this ETag, or one with the same version of the record. Ignores whether it is weak; our ETags
 * begin with the digest of the JSON text.
 */
function isMatch(ifMatch: string, etag: string): boolean {
  const current = readTag(etag);
  return ifMatch.split(',').some((tag) => {
    const { digest, version } = readTag(tag);
    const isVersion = version !== undefined && version === current.version;
    return tag.trim() === '*' || digest === current.digest || isVersion;
  });
}

function readTag(tag: string): { digest: string | undefined; version: string | undefined } {
  const opaque = tag.trim().replace(/^W\//, '').replaceAll('"', '');
  const [digest, ...version] = opaque.split('.');
  return { digest, version: version.length === 0 ? undefined : version.join('.') };
}

/**
 * Checks the record in the first transaction of the request, before its work. The transaction runs in repeatable read:
 * if another one changes a row after the check, locking the row fails, the transaction runs again, and the check fails.
 */
export function buildPreconditionHooks(
  ifMatch: string,
  currentEtag: (tx: Tx) => Promise<string>,
  inner?: TransactionHooks,
): TransactionHooks {
  let isChecked = false;
  return {
    recall: () => {
      const recalled = inner?.recall() ?? null;
      isChecked ||= recalled !== null;
      return recalled;
    },
    isolationLevel: () => (isChecked ? inner?.isolationLevel() : 'repeatable read'),
    begin: async (tx) => {
      if (!isChecked && !isMatch(ifMatch, await currentEtag(tx))) {
        throw new PreconditionFailed('The record has changed. Fetch it again.');
      }
      await inner?.begin(tx);
    },
    end: async (tx, result) => inner?.end(tx, result),
    committed: () => {
      isChecked = true;
      inner?.committed();
    },
  };
}
