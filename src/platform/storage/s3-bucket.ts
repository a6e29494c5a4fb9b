import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { hasSpaceIn } from './disk-space';
import { requireStorageKey } from './keys';
import {
  describeS3Problem,
  loadS3,
  toStorageError,
  UnexpectedReply,
  type LoadedS3,
  type S3Problem,
} from './s3-client';
import type { S3Address } from './s3-url';
import type { FileContent, FileStorage, StoredFile, StoredFileInfo } from './storage';

/** Smaller files are read at once, so that slow clients do not occupy connections to S3. In bytes. */
const READ_AT_ONCE = 1024 * 1024;

/** The number of files that are removed at the same time. */
const CONCURRENT = 8;

/** A place in a bucket: the client, the bucket and the prefix with its slash. */
interface Place extends LoadedS3 {
  bucket: string;
  root: string;
  pageSize: number | undefined;
}

/**
 * Creates a storage in a bucket of S3 or a compatible service, which any number of instances may share. Files are not
 * public: the store serves them. The client is loaded with the first use. Failures of the service are Unavailable.
 */
export function createS3Bucket(address: S3Address, { pageSize }: { pageSize?: number } = {}): FileStorage {
  let loading: Promise<LoadedS3> | null = null;
  const at = async <T>(work: (place: Place) => Promise<T>): Promise<T> => {
    const root = address.prefix === '' ? '' : `${address.prefix}/`;
    try {
      const loaded = await (loading ??= loadS3(address));
      return await work({ ...loaded, bucket: address.bucket, root, pageSize });
    } catch (error) {
      throw toStorageError(error);
    }
  };
  return {
    put: async (key, content) => {
      requireStorageKey(key);
      const body = await readContent(content);
      await at((place) => putFile(place, key, body));
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

async function putFile({ client, sdk, bucket, root }: Place, key: string, body: Body): Promise<void> {
  const { ETag } = await client.send(
    new sdk.PutObjectCommand({
      Bucket: bucket,
      Key: root + key,
      ContentLength: body.size,
      ContentMD5: body.md5,
      Body: body.open(),
    }),
  );
  if (ETag === undefined) throw new UnexpectedReply('nothing was stored');
}

async function openFile({ client, sdk, bucket, root }: Place, key: string): Promise<StoredFile | null> {
  try {
    const { Body, ContentLength: size } = await client.send(
      new sdk.GetObjectCommand({ Bucket: bucket, Key: root + key }),
    );
    if (!(Body instanceof Readable) || size === undefined) {
      if (Body instanceof Readable) Body.destroy();
      throw new UnexpectedReply('the reply is not a file with its size');
    }
    if (size > READ_AT_ONCE) return { size, stream: Body };
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
    const { client, sdk, bucket, root } = place;
    await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: root + key }));
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
  { client, sdk, bucket, root, pageSize }: Place,
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
  );
  const files = Contents.map(({ Key = '', LastModified = new Date() }) => ({
    key: Key.slice(root.length),
    modified_at: LastModified,
  }));
  return { files, next };
}

/** Writes, lists, reads and removes a file. @returns what does not work; null if all of it works */
export async function checkBucket(address: S3Address): Promise<S3Problem | null> {
  const { client, sdk } = await loadS3(address);
  const place = { client, sdk, bucket: address.bucket, pageSize: undefined };
  const root = address.prefix === '' ? '' : `${address.prefix}/`;
  const key = `check/${randomUUID()}`;
  try {
    await putFile({ ...place, root }, key, await readContent(Buffer.from('x')));
    await openFile({ ...place, root }, key);
    await removeFiles({ ...place, root }, key);
    return null;
  } catch (error) {
    const problem = describeS3Problem(error);
    if (problem === null) throw error;
    return problem;
  } finally {
    client.destroy();
  }
}
