import { isStorageKey } from './keys';

/** Where the files of a store are in S3 or a compatible service. */
export interface S3Address {
  bucket: string;
  /** The folder of the store in the bucket, without slashes at its ends; empty for the whole bucket. */
  prefix: string;
  /** Null for Amazon. */
  endpoint: string | null;
  /** Null for that of the environment. */
  region: string | null;
  /** Null for the credentials of the environment, such as the role of the machine. Never log them. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PARAMETERS = ['endpoint', 'region'];

/**
 * Parses `s3://bucket/prefix?endpoint=https://s3.example&region=eu-1`, optionally with a percent-encoded `key:secret@` before
 * the bucket. Null if it is invalid.
 */
export function parseS3Url(text: string): S3Address | null {
  if (!/^s3:\/\//.test(text) || !URL.canParse(text)) return null;
  const { username, password, hostname, port, pathname, searchParams, hash } = new URL(text);
  const prefix = pathname.replace(/^\/|\/$/g, '');
  const endpoint = searchParams.get('endpoint');
  const isValid =
    BUCKET.test(hostname) &&
    (prefix === '' || isStorageKey(prefix)) &&
    (endpoint === null || isHttpUrl(endpoint)) &&
    (username === '') === (password === '') &&
    port === '' &&
    hash === '' &&
    [...searchParams.keys()].every((name) => PARAMETERS.includes(name));
  if (!isValid) return null;
  const decoded = decodeCredentials(username, password);
  if (decoded === undefined) return null;
  return { bucket: hostname, prefix, endpoint, region: searchParams.get('region'), credentials: decoded };
}

/** Describes an address without its credentials. */
export function describeS3Address({ bucket, prefix }: S3Address): string {
  return `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Undefined if they are not percent-encoded correctly. */
function decodeCredentials(key: string, secret: string): S3Address['credentials'] | undefined {
  if (key === '') return null;
  try {
    return { accessKeyId: decodeURIComponent(key), secretAccessKey: decodeURIComponent(secret) };
  } catch {
    return undefined;
  }
}
