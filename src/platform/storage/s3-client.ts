import type * as Sdk from '@aws-sdk/client-s3';
import { isError, readErrorCode } from '../error-code';
import { InsufficientStorage, Unavailable } from '../errors';
import type { S3Address } from './s3-url';

/** A client, and the commands of its package. */
export interface LoadedS3 {
  client: Sdk.S3Client;
  sdk: typeof Sdk;
}

const CONNECT_MS = 2_000;
/** The longest time without a byte from the service. */
const IDLE_MS = 10_000;
const ATTEMPTS = 2;
/** As many as requests may be in progress by default. */
const CONNECTIONS = 256;

/** Loads the package, which takes 20 MB of memory, and creates a client. Connects to nothing. */
export async function loadS3({ endpoint, region, credentials }: S3Address): Promise<LoadedS3> {
  // The version is pinned: its warning about Node.js 20 concerns later ones.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const sdk = await import('@aws-sdk/client-s3');
  const agent = { keepAlive: true, maxSockets: CONNECTIONS };
  const client = new sdk.S3Client({
    // Services with an endpoint of their own accept any region.
    ...(region !== null ? { region } : endpoint !== null && { region: 'us-east-1' }),
    // A name of a bucket before the host needs a DNS entry, which few of them have.
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials !== null && { credentials }),
    maxAttempts: ATTEMPTS,
    // Services older than these checksums refuse them; uploads have Content-MD5 instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  return { client, sdk };
}

/** A success that is not one of S3: something between the store and the service answers. */
export class UnexpectedReply extends Error {
  readonly code = 'UnexpectedReply';
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
  if (error instanceof UnexpectedReply) return { kind: 'refused', code: error.code };
  if (metadata === undefined && readErrorCode(error) === null) return null;
  if (status === undefined) return { kind: 'unreachable', code: readErrorCode(error) ?? error.name };
  const code = UNNAMED.has(error.name) ? `status ${status}` : error.name;
  if (code === 'NoSuchKey' || (status === 404 && code !== 'NoSuchBucket')) return { kind: 'missing', code };
  if (status === 507 || code === 'QuotaExceeded') return { kind: 'full', code };
  return { kind: status < 500 && status !== 429 ? 'refused' : 'unreachable', code };
}

const RETRY_SECONDS = 5;

/** Converts an error of the client to that of a storage. */
export function toStorageError(error: unknown): unknown {
  const problem = describeS3Problem(error);
  if (problem === null) return error;
  if (problem.kind === 'full') return new InsufficientStorage(error);
  const reason = `the file storage does not work: ${problem.code}`;
  return new Unavailable('Files are not available. Please try again.', RETRY_SECONDS, reason);
}
