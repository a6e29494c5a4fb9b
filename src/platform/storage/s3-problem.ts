import { isError, readErrorCode } from '../error-code';
import { FilesUnavailable, InsufficientStorage } from '../errors';

/** A success that is not one of S3: something between the store and the service answers. */
export class UnexpectedReply extends Error {
  readonly code = 'UnexpectedReply';
}

/** The service does not answer, or too slowly. */
export class Silent extends Error {
  static readonly CODE = 'TimeoutError';
  readonly code = Silent.CODE;
}

/** What went wrong with a request to S3. */
export interface S3Problem {
  /** `missing`: there is no such file. `refused`: the address or the credentials are wrong. */
  kind: 'missing' | 'full' | 'refused' | 'unreachable';
  /** The code of S3 or of Node.js. */
  code: string;
}

/** The names of errors whose body names none, such as the page of a proxy. */
const UNNAMED = new Set(['Unknown', 'UnknownError', 'Error']);

/** Describes an error of the client; null if it is not about S3. */
export function describeS3Problem(error: unknown): S3Problem | null {
  if (!isError(error)) return null;
  const { $metadata: metadata } = error as { $metadata?: { httpStatusCode?: number } }; // as errors of the SDK
  const status = metadata?.httpStatusCode;
  if (status === undefined && error.name === 'CredentialsProviderError')
    return { kind: 'refused', code: 'NoCredentials' };
  // A connection that was closed has this name too, and a code.
  if (error.name === Silent.CODE && metadata === undefined)
    return { kind: 'unreachable', code: readErrorCode(error) ?? Silent.CODE };
  if (error instanceof UnexpectedReply) return { kind: 'refused', code: error.code };
  if (metadata === undefined && readErrorCode(error) === null) return null;
  if (status === undefined) return { kind: 'unreachable', code: readErrorCode(error) ?? error.name };
  const code = UNNAMED.has(error.name) ? `status ${status}` : error.name;
  if (code === 'NoSuchKey' || (status === 404 && code !== 'NoSuchBucket')) return { kind: 'missing', code };
  if (status === 507 || code === 'QuotaExceeded') return { kind: 'full', code };
  return { kind: status < 500 && status !== 429 ? 'refused' : 'unreachable', code };
}

/** Converts an error of the client to that of a storage. */
export function toStorageError(error: unknown): unknown {
  const problem = describeS3Problem(error);
  if (problem === null) return error;
  return problem.kind === 'full' ? new InsufficientStorage(error) : new FilesUnavailable(problem.code);
}
