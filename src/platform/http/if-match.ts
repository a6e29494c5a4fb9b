import { PreconditionFailed } from '../../errors/errors';
import type { TransactionHooks, Tx } from '../database/transaction';
import type { Endpoint } from './endpoint';

/** The endpoint that shows the record another one changes, and how its path parameters are called there. */
export interface RecordReader {
  endpoint: Endpoint;
  /** Path parameters of the reader by those of the writer. */
  params: (written: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/**
 * Finds the endpoint whose `ETag` an `If-Match` of this one names: GET of the same path, else of the nearest record above it
 * (a line item is a part of its order). Null where there is none, and for endpoints that change nothing.
 */
export function findRecordReader(endpoint: Endpoint, endpoints: readonly Endpoint[]): RecordReader | null {
  if (endpoint.method !== 'put' && endpoint.method !== 'delete') return null;
  // What stands below /checkouts is an order.
  const segments = endpoint.path.replace(/^\/checkouts\//, '/orders/').split('/');
  for (let length = segments.length; length > 2; length -= 1) {
    const path = segments.slice(0, length);
    if (!isParameter(path.at(-1))) continue;
    const reader = endpoints.find((one) => isReaderOf(one, path));
    if (reader !== undefined) return { endpoint: reader, params: renaming(path, reader.path.split('/')) };
  }
  return null;
}

function isReaderOf({ method, paged, path }: Endpoint, wanted: readonly string[]): boolean {
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

function renaming(written: readonly string[], read: readonly string[]): RecordReader['params'] {
  const names = read.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1), (written[index] ?? '').slice(1)] as const] : [],
  );
  return (params) => Object.fromEntries(names.map(([reader, writer]) => [reader, params[writer]]));
}

/** Whether the value of `If-Match` names this ETag. Weak and strong ones are compared alike: ours are of the JSON's text. */
export function isMatch(ifMatch: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}

/**
 * Checks the record in the request's first transaction, before its work. The transaction sees one state of the database
 * throughout (repeatable read), so a row that somebody else changes after the check cannot be locked any more: the
 * transaction is run again, and the check then fails.
 */
export function preconditionHooks(
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
        throw new PreconditionFailed('The record has changed since; get it again.');
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
