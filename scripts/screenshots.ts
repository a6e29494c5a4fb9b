import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { killPrograms, startProgram } from '../test/support/program';
import { openBrowser } from '../test/support/playwright';

/** Draws the pictures of docs/screenshots anew, from a new demo store. */

const ADMIN = { email: 'admin@example.com', password: 'screenshots-password' };
const FOLDER = path.join(__dirname, '../docs/screenshots');

async function draw(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'store-screenshots-'));
  const { url } = await startProgram({
    ...{ DATA_DIR: folder, SEED: 'demo', LOG_LEVEL: 'error' },
    ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const shoot = async (name: string): Promise<void> => {
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
    };
    for (const [name, address] of [
      ['shop-category', '/c/categories/kitchen'],
      ['shop-product', '/products/organic-cotton-tee'],
    ] as const) {
      await page.goto(url + address);
      await shoot(name);
    }
    await page.goto(`${url}/admin`);
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password').fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.bars').waitFor();
    await shoot('office-dashboard');
    await page.getByRole('link', { name: /To capture/ }).click();
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: /^Order R/ }).waitFor();
    await shoot('office-order');
  } finally {
    await browser.close();
    killPrograms();
    rmSync(folder, { recursive: true, force: true });
  }
}

draw().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
