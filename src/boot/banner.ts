import type { GeneratedSecrets } from '../accounts/ensure-admin';
import type { Config } from '../config';
import { isPretty } from '../platform/logger';

/**
 * Prints the store's addresses and, once, the generated secrets. They are not logged, because the log must not contain
 * secrets. Uses stdout if the log is human-readable, and stderr if stdout is for machines.
 */
export function printBanner(config: Config, url: string, generated: GeneratedSecrets): void {
  const lines = [
    ...(config.hasStorefront ? [`Shop                 ${url}/`] : []),
    ...(config.hasOffice ? [`Back office          ${url}/admin`] : []),
    `API                  ${url}/api/v1`,
    `Reference            ${url}/docs`,
    `Administrator        ${config.admin.email}`,
    ...(generated.password === null ? [] : [`  password           ${generated.password}`]),
    ...(generated.token === null ? [] : [`  X-Store-Token      ${generated.token}`]),
    ...((generated.password ?? generated.token) ? ['These secrets are shown only once.'] : []),
  ];
  const stream = isPretty({ format: config.logFormat }) ? process.stdout : process.stderr;
  stream.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
}
