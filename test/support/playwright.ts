import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { devDependencies } from '../../package.json';

/** Unpacks Chromium into the folder of temporary files. */
const UNPACK = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;

/** Opens the Chromium that comes with the development packages; nothing needs to be installed. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

/**
 * Returns the path of the unpacked Chromium. Several processes may need it at once: each unpacks it into a folder of its own, because a
 * program that is still being written cannot be started, and the first one keeps its folder for all.
 */
export async function findChromium(): Promise<string> {
  const folder = path.join(tmpdir(), `store-chromium-${devDependencies['@sparticuz/chromium']}`);
  if (!existsSync(folder)) {
    const own = await mkdtemp(`${folder}-`);
    const env = { ...process.env, TMPDIR: own };
    await promisify(execFile)(process.execPath, ['-e', UNPACK], { cwd: __dirname, env });
    await rename(own, folder).catch(() => rm(own, { recursive: true }));
  }
  return path.join(folder, 'chromium');
}

/** A page that is open in a browser. */
export interface OpenPage {
  /**
   * Returns the value of a JavaScript expression in the page; of a promise, what it resolves to.
   * @throws Error if it fails
   */
  evaluate: (expression: string) => Promise<unknown>;
  /** Every URL the page requested, including its own. */
  requestedUrls: string[];
  /** Errors of the page and its scripts, blocked content and failed requests. */
  errors: string[];
}

/** Opens `url` in a new browser until `use` is done. */
export async function withPage<T>(
  url: string,
  use: (page: OpenPage) => Promise<T>,
  viewport = { width: 1440, height: 1000 },
): Promise<T> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport });
    const seen: Omit<OpenPage, 'evaluate'> = { requestedUrls: [], errors: [] };
    page.on('request', (request) => seen.requestedUrls.push(request.url()));
    page.on('pageerror', ({ message }) => seen.errors.push(message));
    page.on('console', (entry) => {
      if (entry.type() === 'error') seen.errors.push(entry.text());
    });
    await page.goto(url);
    return await use({ evaluate: (expression) => page.evaluate(expression), ...seen });
  } finally {
    await browser.close();
  }
}
