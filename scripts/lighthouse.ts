import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findChromium } from '../test/support/playwright';
import { killPrograms, startProgram } from '../test/support/program';

/** Measures pages of the shop with Lighthouse, which `npm run lighthouse` downloads, and writes the medians. */

const PAGES = ['/c/categories/kitchen', '/products/organic-cotton-tee'];
const RUNS = 5;

/** Lighthouse's own default is a simulated slow network; the first one measures what the pages themselves take. */
const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  'processor 4 times slower': [
    '--throttling-method=devtools',
    '--throttling.cpuSlowdownMultiplier=4',
    ...['requestLatencyMs', 'downloadThroughputKbps', 'uploadThroughputKbps'].map(
      (name) => `--throttling.${name}=0`,
    ),
  ],
  'slow 4G, as Lighthouse simulates it': [],
};

/** The parts of Lighthouse's report that are read. */
interface Report {
  categories: Readonly<Record<string, { score: number }>>;
  audits: Readonly<Record<string, { numericValue: number }>>;
}

const AUDITS: readonly (readonly [string, string])[] = [
  ['LCP ms', 'largest-contentful-paint'],
  ['CLS', 'cumulative-layout-shift'],
  ['TBT ms', 'total-blocking-time'],
];

async function measure(url: string, flags: readonly string[], file: string): Promise<Record<string, number>> {
  const child = spawn(
    'lighthouse',
    [
      ...[url, '--quiet', '--output=json', `--output-path=${file}`],
      ...[
        '--only-categories=performance,accessibility',
        '--chrome-flags=--headless --no-sandbox --disable-gpu',
      ],
      ...flags,
    ],
    {
      env: { ...process.env, CHROME_PATH: await findChromium() },
      stdio: 'inherit',
    },
  );
  await once(child, 'close');
  // The form of the report is that of the version in package.json.
  const { categories, audits } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return {
    performance: Math.round((categories['performance']?.score ?? 0) * 100),
    accessibility: Math.round((categories['accessibility']?.score ?? 0) * 100),
    ...Object.fromEntries(AUDITS.map(([name, audit]) => [name, audits[audit]?.numericValue ?? NaN])),
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const value = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  return value < 1 ? Math.round(value * 1000) / 1000 : Math.round(value);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'store-lighthouse-'));
  try {
    const { url } = await startProgram({ DATA_DIR: folder, SEED: 'demo', LOG_LEVEL: 'error' });
    for (const [conditions, flags] of Object.entries(CONDITIONS)) {
      for (const page of PAGES) {
        const runs: Record<string, number>[] = [];
        for (let run = 0; run < RUNS; run += 1)
          runs.push(await measure(url + page, flags, path.join(folder, 'report.json')));
        const medians = Object.keys(runs[0] ?? {}).map(
          (name) => `${name} ${medianOf(runs.map((values) => values[name] ?? NaN))}`,
        );
        process.stdout.write(`${conditions}, ${page}: ${medians.join(', ')} (medians of ${RUNS})\n`);
      }
    }
  } finally {
    killPrograms();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
