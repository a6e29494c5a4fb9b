import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { killPrograms, startProgram } from '../test/support/program';
import { openBrowser } from '../test/support/playwright';

/** Draws the pictures of docs/screenshots anew, from a new demo store. */

const ADMIN = { email: 'admin@example.com', password: 'screenshots-password' };
const FOLDER = path.join(__dirname, '../docs/screenshots');
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2, colorScheme: 'dark' } as const;

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

async function shootShop(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await shoot(page, 'shop-home');
  await page.goto(`${url}/c/categories/kitchen`);
  await shoot(page, 'shop-category');
  await page.goto(`${url}/products/organic-cotton-tee`);
  await shoot(page, 'shop-product');
  await press(page, 'Add to cart');
  await page.getByRole('link', { name: 'View the cart' }).click();
  await page.getByLabel('Coupon code').fill('WELCOME10');
  await press(page, 'Apply');
  await page.getByRole('row', { name: /Welcome/ }).waitFor();
  await shoot(page, 'shop-cart');
  await page.getByRole('link', { name: 'Check out' }).click();
  for (const [label, text] of [
    ['E-mail', 'ann@example.com'],
    ['First name', 'Ann'],
    ['Last name', 'Lee'],
    ['Street and number', '1 Harbour Street'],
    ['Postal code', '04101'],
    ['City', 'Portland'],
    ['Phone', '207-555-0100'],
  ] as const)
    await page.getByLabel(label).fill(text);
  await page.getByLabel('State or region').selectOption({ label: 'Maine' });
  await press(page, 'Continue to delivery');
  await page.getByLabel(/UPS Two Day/).check();
  await shoot(page, 'shop-checkout');
  await press(page, 'Continue to payment');
  for (const [label, text] of [
    ['Card number', '4111 1111 1111 1111'],
    ['Name on the card', 'Ann Lee'],
    ['Valid until', '12/35'],
    ['Security code', '123'],
  ] as const)
    await page.getByLabel(label).fill(text);
  await press(page, 'Review the order');
  await press(page, /^Buy now/);
  await page.getByText('Thank you!').waitFor();
  await shoot(page, 'shop-order');
}

async function shootPhone(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/products/stoneware-mug`);
  await shoot(page, 'shop-phone');
}

async function shootOffice(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/admin`);
  await page.getByLabel('E-mail').fill(ADMIN.email);
  await page.getByLabel('Password').fill(ADMIN.password);
  await press(page, 'Sign in');
  await page.locator('.bars').waitFor();
  await shoot(page, 'office-dashboard');
  await page.getByRole('link', { name: /To capture/ }).click();
  await page.locator('tbody a').first().waitFor();
  await shoot(page, 'office-orders');
  await page.locator('tbody a').first().click();
  await page.getByRole('heading', { name: /^Order R/ }).waitFor();
  await shoot(page, 'office-order');
  await page.goto(`${url}/admin/products`);
  await page.getByRole('link', { name: 'Stoneware Mug' }).click();
  await page.getByRole('heading', { name: 'Stoneware Mug' }).waitFor();
  await shoot(page, 'office-product');
  await page.goto(`${url}/admin/stock`);
  await page.locator('tbody tr').first().waitFor();
  await shoot(page, 'office-stock');
}

async function draw(browser: Browser, url: string): Promise<void> {
  const parts: readonly (readonly [BrowserContextOptions, (page: Page, url: string) => Promise<void>])[] = [
    [DESKTOP, shootShop],
    [PHONE, shootPhone],
    [DESKTOP, shootOffice],
  ];
  for (const [options, shootPart] of parts) {
    const context = await browser.newContext(options);
    await shootPart(await context.newPage(), url);
    await context.close();
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'store-screenshots-'));
  const program = await startProgram({
    DATA_DIR: folder,
    SEED: 'demo',
    LOG_LEVEL: 'info',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  const browser = await openBrowser();
  try {
    // The orders of the last months, which are on the dashboard.
    while (!program.output().includes('demo orders created')) await setTimeout(200);
    await draw(browser, program.url);
  } finally {
    await browser.close();
    killPrograms();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
