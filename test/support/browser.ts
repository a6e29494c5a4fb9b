import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The command of an installed Chromium, or null. */
export const CHROMIUM = NAMES.find((name) => spawnSync(name, ['--version']).status === 0) ?? null;

const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
  // Blocks requests of the browser to its vendor.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--remote-debugging-pipe',
];

export interface Visit {
  /** The result of the expression. */
  value: unknown;
  /** Every URL the page requested, including its own. */
  requestedUrls: string[];
  /** Errors of the page and its scripts, blocked content and failed requests. */
  errors: string[];
}

interface Message {
  id?: number;
  method?: string;
  params?: any;
  result?: any;
  error?: { message: string };
}

/** A page that is open in a browser. */
export interface OpenPage extends Pick<Visit, 'requestedUrls' | 'errors'> {
  /**
   * Returns the value of a JavaScript expression in the page; of a promise, what it resolves to.
   * @throws Error if it fails
   */
  evaluate: (expression: string) => Promise<unknown>;
}

/** Opens `url` in a new headless browser and waits for the promise that `expression` returns there. */
export async function visit(url: string, expression: string): Promise<Visit> {
  return withPage(url, async ({ evaluate, requestedUrls, errors }) => ({
    value: await evaluate(expression),
    requestedUrls,
    errors,
  }));
}

/**
 * Opens `url` in a new headless browser until `use` is done. Uses the DevTools protocol over a pipe: messages are JSON,
 * terminated by a zero byte.
 */
export async function withPage<T>(
  url: string,
  use: (page: OpenPage) => Promise<T>,
  size = { width: 1440, height: 1000 },
): Promise<T> {
  const profile = mkdtempSync(path.join(os.tmpdir(), 'store-browser-'));
  const browser = spawn(
    CHROMIUM ?? '',
    [...FLAGS, `--window-size=${size.width},${size.height}`, `--user-data-dir=${profile}`],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // In its own process group, because its child processes write into the profile until they end.
      detached: true,
    },
  );
  const exited = new Promise<void>((resolve) => browser.once('close', () => resolve()));
  try {
    // 'pipe' above creates these two.
    const [, , , input, output] = browser.stdio as unknown as [null, null, null, Writable, Readable];
    const seen: Pick<Visit, 'requestedUrls' | 'errors'> = { requestedUrls: [], errors: [] };
    const send = connect(input, output, (message) => recordEvent(message, seen));
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await send(`${domain}.enable`, {}, sessionId);
    await send('Page.navigate', { url }, sessionId);
    const evaluate = async (expression: string): Promise<unknown> => {
      const options = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = await send('Runtime.evaluate', options, sessionId);
      if (exceptionDetails !== undefined)
        throw new Error(`${expression}: ${result.description ?? result.value}`);
      return result.value;
    };
    return await use({ evaluate, ...seen });
  } finally {
    killGroup(browser.pid);
    await exited;
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

type Send = (method: string, params: object, sessionId?: string) => Promise<any>;

function connect(input: Writable, output: Readable, onEvent: (message: Message) => void): Send {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const message: Message = JSON.parse(part);
      const pending = waiting.get(message.id ?? 0);
      if (pending === undefined) onEvent(message);
      else if (message.error === undefined) pending.resolve(message.result);
      else pending.reject(new Error(message.error.message));
    }
  });
  output.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser has gone'));
  });
  let last = 0;
  return (method, params, sessionId) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
}

function recordEvent({ method, params }: Message, seen: Pick<Visit, 'requestedUrls' | 'errors'>): void {
  if (method === 'Network.requestWillBeSent') seen.requestedUrls.push(params.request.url);
  if (method === 'Log.entryAdded' && params.entry.level === 'error') seen.errors.push(params.entry.text);
  if (method === 'Runtime.exceptionThrown') seen.errors.push(params.exceptionDetails.text);
}
