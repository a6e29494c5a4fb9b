import type * as Sdk from '@aws-sdk/client-s3';
import type { S3Limits } from './s3-attempts';
import type { S3Address } from './s3-url';

/** A client, and the commands of its package. */
export interface LoadedS3 {
  client: Sdk.S3Client;
  sdk: typeof Sdk;
}

const CONNECT_MS = 2_000;
/** As many as requests may be in progress by default. */
const CONNECTIONS = 256;

const ignore = (): void => undefined;

/** Loads the package, which takes 20 MB of memory, and creates a client. Connects to nothing. */
export async function loadS3(
  { endpoint, region, credentials }: S3Address,
  { idleMs }: Pick<S3Limits, 'idleMs'>,
): Promise<LoadedS3> {
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
    // Repeated by `createCalls`, within the time of a call, and with a new stream of the file.
    maxAttempts: 1,
    // It writes to the console what an error says as well.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    // Services older than these checksums refuse them; uploads have Content-MD5 instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: idleMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  return { client, sdk };
}
