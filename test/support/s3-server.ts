import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseS3Url, type S3Address } from '../../src/platform/storage/s3-url';

/** A running S3 server with one bucket. */
export interface S3Server {
  /** The value of STORAGE_URL, including the keys. */
  url: string;
  address: S3Address;
  stop: () => Promise<void>;
}

/** Starts s3rver as a process of its own, with an empty bucket named `files`. */
export async function startS3Server(): Promise<S3Server> {
  const folder = mkdtempSync(path.join(tmpdir(), 'store-s3-'));
  const program = require.resolve('s3rver/bin/s3rver.js');
  const args = ['-d', folder, '-a', '127.0.0.1', '-p', '0', '--no-vhost-buckets'];
  // Its tokens of pages are encrypted with DES.
  const node = ['--openssl-legacy-provider', program];
  const child = spawn(process.execPath, [...node, ...args, '--configure-bucket', 'files'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const [, found] = /listening on \S*:(\d+)/.exec((text += chunk)) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the S3 server did not start: ${text}`)));
  });
  const url = `s3://S3RVER:S3RVER@files/shop?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`;
  const address = parseS3Url(url);
  if (address === null) throw new Error(`${url} is not valid`);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, address, stop };
}
