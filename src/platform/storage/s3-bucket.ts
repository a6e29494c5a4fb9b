import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { hasSpaceIn } from './disk-space';
import { requireStorageKey } from './keys';
import { createCalls, S3_LIMITS, type S3Call, type S3Limits } from './s3-attempts';
import { readBody } from './s3-body';
import { loadS3, type LoadedS3 } from './s3-client';
import { describeS3Problem, toStorageError, UnexpectedReply, type S3Problem } from './s3-problem';
import type { S3Address } from './s3-url';
import type { FileContent, FileStorage, StoredFile, StoredFileInfo } from './storage';

/** Smaller files are read at once, so that slow clients do not occupy connections to S3. In bytes. */
const READ_AT_ONCE = 1024 * 1024;

/** The number of files that are removed at the same time. */
const CONCURRENT = 8;

interface Options {
  pageSize?: number;
  limits?: S3Limits;
}

/** A place in a bucket: the client, the bucket and the prefix with its slash; `signal` ends the requests of a call. */
interface Place extends LoadedS3 {
  bucket: string;
  root: string;
  pageSize: number | undefined;
  limits: S3Limits;
  signal: AbortSignal;
}

/** Connects the calls of a storage with a bucket. Nothing is loaded before the first one. */
function createPlace(address: S3Address, { pageSize, limits = S3_LIMITS }: Options) {
  const call: S3Call = createCalls(limits);
  const root = address.prefix === '' ? '' : `${address.prefix}/`;
  let loading: Promise<LoadedS3> | null = null;
  const load = (): Promise<LoadedS3> => (loading ??= loadS3(address, limits));
  return {
    at: <T>(work: (place: Place) => Promise<T>, bytes?: number): Promise<T> =>
      call(async (signal) => {
        const loaded = await load();
        return work({ ...loaded, bucket: address.bucket, root, pageSize, limits, signal });
      }, bytes),
    close: async () => (await load()).client.destroy(),
  };
}

/**
 * Creates a storage in a bucket of S3 or a compatible service, which any number of instances may share. Files are not
 * public: the store serves them. Failures of the service are Unavailable.
 */
export function createS3Bucket(address: S3Address, options: Options = {}): FileStorage {
  const place = createPlace(address, options);
  const at: typeof place.at = async (work, bytes) => {
    try {
      return await place.at(work, bytes);
    } catch (error) {
      throw toStorageError(error);
    }
  };
  return {
    put: async (key, content) => {
      requireStorageKey(key);
      const body = await readContent(content);
      await at((place) => putFile(place, key, body), body.size);
    },
    hasSpace: () => hasSpaceIn(tmpdir()),
    open: async (key) => {
      requireStorageKey(key);
      return at((place) => openFile(place, key));
    },
    remove: async (prefix) => {
      requireStorageKey(prefix);
      await at((place) => removeFiles(place, prefix));
    },
    list: async function* (prefix) {
      if (prefix !== '') requireStorageKey(prefix);
      const below = prefix === '' ? '' : `${prefix}/`;
      let token: string | undefined;
      do {
        const page = await at((place) => listPage(place, below, token));
        yield* page.files;
        token = page.next;
      } while (token !== undefined);
    },
  };
}

interface Body {
  size: number;
  /** In base64; the service compares it with what arrives. */
  md5: string;
  open: () => Buffer | Readable;
}

async function readContent(content: FileContent): Promise<Body> {
  const hash = createHash('md5');
  if (Buffer.isBuffer(content))
    return { size: content.length, md5: hash.update(content).digest('base64'), open: () => content };
  const { size } = await stat(content.path);
  await pipeline(createReadStream(content.path), hash);
  return { size, md5: hash.digest('base64'), open: () => createReadStream(content.path) };
}

async function putFile({ client, sdk, bucket, root, signal }: Place, key: string, body: Body): Promise<void> {
  const { ETag } = await client.send(
    new sdk.PutObjectCommand({
      Bucket: bucket,
      Key: root + key,
      ContentLength: body.size,
      ContentMD5: body.md5,
      Body: body.open(),
    }),
    { abortSignal: signal },
  );
  if (ETag === undefined) throw new UnexpectedReply('nothing was stored');
}

async function openFile(
  { client, sdk, bucket, root, limits, signal }: Place,
  key: string,
): Promise<StoredFile | null> {
  try {
    const { Body, ContentLength: size } = await client.send(
      new sdk.GetObjectCommand({ Bucket: bucket, Key: root + key }),
      { abortSignal: signal },
    );
    if (!(Body instanceof IncomingMessage) || size === undefined) {
      if (Body instanceof Readable) Body.destroy();
      throw new UnexpectedReply('the reply is not a file with its size');
    }
    if (size > READ_AT_ONCE) return { size, stream: readBody(Body, limits) };
    const bytes = await buffer(Body);
    return { size, stream: Readable.from(bytes.length === 0 ? [] : [bytes]) };
  } catch (error) {
    if (describeS3Problem(error)?.kind === 'missing') return null;
    throw error;
  }
}

/** One at a time: not every service knows the request that removes many. */
async function removeFiles(place: Place, prefix: string): Promise<void> {
  const remove = async (key: string): Promise<void> => {
    const { client, sdk, bucket, root, signal } = place;
    const removal = new sdk.DeleteObjectCommand({ Bucket: bucket, Key: root + key });
    await client.send(removal, { abortSignal: signal });
  };
  await remove(prefix);
  // What is listed is removed, so the first page is always the next one.
  for (;;) {
    const { files, next } = await listPage(place, `${prefix}/`);
    for (let start = 0; start < files.length; start += CONCURRENT)
      await Promise.all(files.slice(start, start + CONCURRENT).map(({ key }) => remove(key)));
    if (next === undefined) return;
  }
}

async function listPage(
  { client, sdk, bucket, root, pageSize, signal }: Place,
  below: string,
  token?: string,
): Promise<{ files: StoredFileInfo[]; next: string | undefined }> {
  const { Contents = [], NextContinuationToken: next } = await client.send(
    new sdk.ListObjectsV2Command({
      Bucket: bucket,
      Prefix: root + below,
      ...(token !== undefined && { ContinuationToken: token }),
      ...(pageSize !== undefined && { MaxKeys: pageSize }),
    }),
    { abortSignal: signal },
  );
  const files = Contents.map(({ Key = '', LastModified = new Date() }) => ({
    key: Key.slice(root.length),
    modified_at: LastModified,
  }));
  return { files, next };
}

/** Writes, lists, reads and removes a file. @returns what does not work; null if all of it works */
export async function checkBucket(
  address: S3Address,
  options: Pick<Options, 'limits'> = {},
): Promise<S3Problem | null> {
  const { at, close } = createPlace(address, options);
  const key = `check/${randomUUID()}`;
  try {
    const content = await readContent(Buffer.from('x'));
    await at((place) => putFile(place, key, content));
    await at((place) => openFile(place, key));
    await at((place) => removeFiles(place, key));
    return null;
  } catch (error) {
    const problem = describeS3Problem(error);
    if (problem === null) throw error;
    return problem;
  } finally {
    await close();
  }
}
