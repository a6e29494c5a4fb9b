import Chromium from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

/** Opens the Chromium that comes with the development packages; nothing needs to be installed. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await Chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
}
