import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config';
import { readErrorCode } from '../../platform/error-code';
import { checkPort } from '../../platform/http/http-server';
import { StartupError } from '../../platform/startup-error';
import { buildSecretPath } from '../../boot/secret-key';
import { explainS3Problem } from '../../boot/storage';
import { checkBucket } from '../../platform/storage/s3-bucket';
import { describeS3Address, type S3Address } from '../../platform/storage/s3-url';
import { checkSmtp } from '../../platform/mail/smtp';
import type { BucketFacts, MailFacts, PortFacts, SecretFacts, StorageFacts } from './facts';

const HEALTH_TIMEOUT_MS = 5_000;

/** Checks the bucket, and whether DATA_DIR is writable or, if it does not exist, can be created. */
export async function examineStorage({
  dataDir,
  storage,
}: Pick<Config, 'dataDir' | 'storage'>): Promise<StorageFacts> {
  const folder = await findExisting(dataDir);
  const exists = folder === dataDir;
  return {
    dataDir: dataDir,
    exists,
    writeError: await findErrorCode(
      exists ? writeTestFile(folder) : access(folder, constants.W_OK | constants.X_OK),
    ),
    freeBytes: await readFreeBytes(folder),
    bucket: storage && (await examineBucket(storage)),
  };
}

async function examineBucket(address: S3Address): Promise<BucketFacts> {
  const problem = await checkBucket(address);
  return {
    name: describeS3Address(address),
    problem: problem && explainS3Problem(address, problem),
  };
}

/** Returns the folder or its nearest ancestor that exists. */
async function findExisting(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  return parent === folder || (await findErrorCode(stat(folder))) === null ? folder : findExisting(parent);
}

/** Writes a file with content, because a full disk may still accept empty files. */
async function writeTestFile(folder: string): Promise<void> {
  const file = path.join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(file, Buffer.alloc(4096), { flag: 'wx', flush: true });
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

async function readFreeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Checks the secret key without creating it. */
export async function examineSecret(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<SecretFacts> {
  if (config.secretKey !== null) return { source: 'setting' };
  const file = buildSecretPath(config);
  try {
    const { mode, size } = await stat(file);
    const readable = (await findErrorCode(readFile(file))) === null;
    return { source: 'file', file, exists: true, readable, size, mode };
  } catch {
    return { source: 'file', file, exists: false };
  }
}

/** Connects to the SMTP server and signs in. */
export async function examineMail({ mailUrl }: Pick<Config, 'mailUrl'>): Promise<MailFacts> {
  if (mailUrl === null) return null;
  return { host: new URL(mailUrl).host, errorCode: await checkSmtp(mailUrl) };
}

/** Checks whether the port is available, or in use by a store. */
export async function examinePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<PortFacts> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (port === 0) return { address, state: 'any', refusal: null };
  try {
    await checkPort(host, port);
    return { address, state: 'free', refusal: null };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const state = await fetchHealth(host, port);
    return { address, state: state ?? 'refused', refusal: state === null ? error.message : null };
  }
}

/** Reads the health of the store at this address; null if another program listens there. */
async function fetchHealth(host: string, port: number): Promise<'ready' | 'not_ready' | null> {
  const anywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const name = anywhere[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const reply = await fetch(`http://${name}:${port}/health/ready`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    const { status } = (await reply.json()) as { status?: unknown }; // untrusted JSON: only known values are used
    if (status === 'ready') return 'ready';
    return status === 'unavailable' || status === 'migrating' ? 'not_ready' : null;
  } catch {
    return null;
  }
}

/** Awaits `work` and returns the code of its error; null on success. */
async function findErrorCode(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return readErrorCode(error) ?? 'unknown';
  }
}
