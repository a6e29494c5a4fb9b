import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import axe from 'axe-core';
import { simpleParser } from 'mailparser';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findLastKnownUrl } from '../../src/platform/database/embedded/cluster';
import { copyDemoStore } from './demo-store';
import { openBrowser } from './playwright';
import { killPrograms, startProgram, type Program } from './program';
import { queryUrl } from './query-url';

/** A new window of a browser at a demo store. */
export interface Window {
  /** The address of the store. */
  url: string;
  context: BrowserContext;
  page: Page;
  /** Returns the first link that matches in a mail to this address, once there is one. */
  findMailedLink: (to: string, pattern: RegExp) => Promise<string>;
  /** Errors of the scripts, and requests to other hosts. */
  problems: string[];
}

/**
 * Registers the start of a demo store and a browser before the tests of a file, and their end after them.
 * @param settings the environment of the store, or what returns it before the start
 * @returns a function that opens a window of this width, and closes the previous one
 */
export function openFace(
  settings: Record<string, string> | (() => Promise<Record<string, string>>),
): (width: number) => Promise<Window> {
  let folder: string;
  let program: Program | undefined;
  let browser: Browser | undefined;
  let context: BrowserContext | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'store-face-'));
    const env = typeof settings === 'function' ? await settings() : settings;
    const DATA_DIR = path.join(folder, 'data');
    await copyDemoStore(DATA_DIR);
    program = await startProgram({ DATA_DIR, SEED: 'demo', ...env });
    // The store that was copied had another address.
    await queryUrl(
      findLastKnownUrl(DATA_DIR) ?? '',
      `UPDATE stores SET url = '${program.url}' WHERE is_default`,
    );
    browser = await openBrowser();
  });

  afterEach(() => context?.close());

  afterAll(async () => {
    await browser?.close();
    // With its database, so that nothing writes into the folder any more.
    program?.child.kill('SIGTERM');
    await program?.exited;
    killPrograms();
    rmSync(folder, { recursive: true, force: true });
    expect(program?.output()).not.toContain('MaxListenersExceededWarning');
  });

  return async (width) => {
    if (program === undefined || browser === undefined) throw new Error('the store has not started');
    const { url } = program;
    await context?.close();
    context = await browser.newContext({ viewport: { width, height: 900 } });
    // As on pages without HTTPS, which a store in an office or at home has; those of this machine have it anyway.
    await context.addInitScript('delete Crypto.prototype.randomUUID');
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    return {
      url,
      context,
      page,
      problems: watch(page, url),
      findMailedLink: (to, pattern) => findMailedLink(path.join(folder, 'data/mail'), to, pattern),
    };
  };
}

const MAIL_LIMIT_MS = 30_000;

async function findMailedLink(folder: string, to: string, pattern: RegExp): Promise<string> {
  const end = Date.now() + MAIL_LIMIT_MS;
  while (Date.now() < end) {
    const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.endsWith('.eml'));
    const mails = await Promise.all(
      names.map(async (name) => simpleParser(await readFile(path.join(folder, name)))),
    );
    const texts = mails
      .filter((mail) => [mail.to].flat().some((one) => one?.text === to))
      .map(({ text }) => text ?? '');
    const [link] = texts
      .flatMap((text) => text.match(/https?:\/\/\S+/g) ?? [])
      .filter((one) => pattern.test(one));
    if (link !== undefined) return link;
    await setTimeout(50);
  }
  throw new Error(`no mail to ${to} has a link like ${String(pattern)}`);
}

function watch(page: Page, url: string): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:'))
      problems.push(`requested ${request.url()}`);
  });
  page.on('console', (message) => {
    // The browser also reports refusals of the API, which the page shows as text.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  return problems;
}

const EXPRESSION_LIMIT_MS = 60_000;

/**
 * Waits until this expression is true in the page. `waitForFunction` evaluates one that is not true at once by `eval`, which the rules
 * of the faces for scripts forbid.
 * @throws an error that shows the element with the focus, after 20 seconds
 */
export async function waitForExpression(page: Page, expression: string): Promise<void> {
  const end = Date.now() + EXPRESSION_LIMIT_MS;
  while (!(await page.evaluate<boolean>(expression))) {
    if (Date.now() < end) continue;
    const focused = await page.evaluate<string>('document.activeElement?.outerHTML ?? "nothing"');
    throw new Error(`not so in time: ${expression}, with the focus on ${focused.slice(0, 500)}`);
  }
}

/** Expects a page that fits the width of the window, as its tables fit their boxes, without serious faults of accessibility. */
export async function expectSoundPage(page: Page, address: string, width: number): Promise<void> {
  await page.locator('h1').waitFor();
  expect([address, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([address, width]);
  const wide = await page.evaluate(`[...document.querySelectorAll('table')]
    .filter((table) => table.offsetWidth > table.parentElement.clientWidth)
    .map((table) => table.ariaLabel)`);
  expect([address, wide]).toEqual([address, []]);
  expect([address, await page.getByText('Loading…').count()]).toEqual([address, 0]);
  // A script of the page would be refused by its policy.
  await page.evaluate(axe.source);
  const found = await page.evaluate(`axe.run().then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes[0].html))`);
  expect([address, found]).toEqual([address, []]);
}

/** Arrows, not Tab, lead to the others of a group of radio buttons. */
const CONTROLS = 'a[href], button:enabled, input:enabled:not([type=radio]), select, textarea, summary';

/** Expects that the key Tab reaches each control of the page, and that each is seen then and shows that it has the focus. */
export async function expectReachableByTab(page: Page, address: string): Promise<void> {
  const count = await page.evaluate<number>(`(() => {
    document.activeElement.blur();
    window.controls = new Set([...document.querySelectorAll('${CONTROLS}')].filter((one) => one.checkVisibility() && one.tabIndex >= 0));
    return window.controls.size;
  })()`);
  // A field of a date has several stops, the window one.
  for (let stop = 0; stop < count + 10; stop++) {
    await page.keyboard.press('Tab');
    await page.evaluate(`(() => {
      const one = document.activeElement;
      const { top, bottom } = one.getBoundingClientRect();
      if (getComputedStyle(one).outlineStyle !== 'none' && bottom > 0 && top < innerHeight) window.controls.delete(one);
    })()`);
  }
  const left = await page.evaluate('[...window.controls].map((one) => one.outerHTML)');
  expect([address, left]).toEqual([address, []]);
}
