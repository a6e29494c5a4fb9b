import type { GeneratedSecrets } from '../accounts/ensure-admin';
import type { Config } from '../config';
import { isPretty } from '../platform/logger';

/**
 * Tells the person who started the store where it is, and the generated secrets, once. Apart from the log, which
 * holds no secrets: on stdout when that is for people, on stderr when stdout is for machines.
 */
export function printBanner(config: Config, url: string, generated: GeneratedSecrets): void {
  const lines = [
    `The store is open    ${url}/api/v1/products`,
    `Reference            ${url}/docs`,
    `Administrator        ${config.admin.email}`,
    ...(generated.password === null ? [] : [`  password           ${generated.password}`]),
    ...(generated.token === null ? [] : [`  X-Store-Token      ${generated.token}`]),
    ...((generated.password ?? generated.token) ? ['  Shown this once only.'] : []),
  ];
  const stream = isPretty({ format: config.logFormat }) ? process.stdout : process.stderr;
  stream.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
}
