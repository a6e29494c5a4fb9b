import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config';
import { errorCodeOf } from '../../platform/error-code';
import { refuseTakenPort } from '../../platform/http/http-server';
import { StartupError } from '../../platform/startup-error';
import { secretFile } from '../../boot/secret-key';
import type { PortFacts, SecretFacts, StorageFacts } from './facts';

const ANSWER_WITHIN_MS = 5_000;

/** Tries to write where uploads go, or whether that folder can be made. */
export async function examineStorage({ dataDir }: Pick<Config, 'dataDir'>): Promise<StorageFacts> {
  const place = await nearestExisting(dataDir);
  const is_made = place === dataDir;
  return {
    data_dir: dataDir,
    is_made,
    write_error: await errorOf(is_made ? writeOnce(place) : access(place, constants.W_OK | constants.X_OK)),
    free_bytes: await freeBytes(place),
  };
}

async function nearestExisting(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  return parent === folder || (await errorOf(stat(folder))) === null ? folder : nearestExisting(parent);
}

/** Of bytes, since a full disk still gives names away. */
async function writeOnce(folder: string): Promise<void> {
  const file = path.join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(file, Buffer.alloc(4096), { flag: 'wx', flush: true });
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Looks at the key without making it. */
export async function examineSecret(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<SecretFacts> {
  if (config.secretKey !== null) return { source: 'setting' };
  const file = secretFile(config);
  try {
    const { mode, size } = await stat(file);
    const readable = (await errorOf(readFile(file))) === null;
    return { source: 'file', file, is_made: true, readable, size, mode };
  } catch {
    return { source: 'file', file, is_made: false };
  }
}

/** Whether the store could listen, or does. */
export async function examinePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<PortFacts> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (port === 0) return { address, state: 'any', refusal: null };
  try {
    await refuseTakenPort(host, port);
    return { address, state: 'free', refusal: null };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const state = await healthAt(host, port);
    return { address, state: state ?? 'refused', refusal: state === null ? error.message : null };
  }
}

/** Null when whoever listens there is no store. */
async function healthAt(host: string, port: number): Promise<'ready' | 'not_ready' | null> {
  const anywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const name = anywhere[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const reply = await fetch(`http://${name}:${port}/health/ready`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const { status } = (await reply.json()) as { status?: unknown }; // whatever it is, only our two words count
    if (status === 'ready') return 'ready';
    return status === 'unavailable' ? 'not_ready' : null;
  } catch {
    return null;
  }
}

/** Null when it ends well; else the error's code. */
async function errorOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return errorCodeOf(error) ?? 'unknown';
  }
}
