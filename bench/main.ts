/**
 * Measures the built store against baselines of Express and PostgreSQL on the same machine at the same time
 * (`npm run bench`). Everything runs on 127.0.0.1 in temporary folders, which are removed at the end; the results are
 * kept as JSON.
 */
import { measureCatalog } from './catalog-scenarios';
import { startPostgres, type BenchPostgres } from './databases';
import { measureEvents } from './event-cost';
import { parseOptions, type BenchOptions } from './options';
import { createReport, openSection, print, saveReport, type Report } from './report';
import { measureSales } from './sales-scenarios';

const SMALL = 1_000;

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  const options = parseOptions(argv);
  const report = createReport(argv);
  const postgres = await startPostgres();
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= postgres.stop());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(130)));
  }
  try {
    await measure(postgres, options, report);
  } finally {
    await stop();
  }
  print(`\nResults written to ${saveReport(report)}`);
}

async function measure(postgres: BenchPostgres, options: BenchOptions, report: Report): Promise<void> {
  const { folder } = postgres;
  const { products, seconds, orders, workers } = options;
  const databaseUrl = await postgres.createStore(SMALL);
  // The rows of the baseline break the store's rules, so they get a database of their own.
  const limitUrl = await postgres.copyStore(databaseUrl, 'bench_limit');
  const silentUrl = await postgres.copyStore(databaseUrl, 'bench_silent');
  const connectedUrl = await postgres.copyStore(databaseUrl, 'bench_connected');
  if (options.catalog) {
    await measureCatalog(
      { databaseUrl, folder, seconds, workers },
      openSection(report, `Catalog of ${SMALL} products`),
    );
    if (products > SMALL) {
      const large = { databaseUrl: await postgres.createStore(products), smallerUrl: databaseUrl };
      const section = openSection(report, `Catalog of ${products} products`);
      await measureCatalog({ ...large, folder, seconds, workers }, section);
    }
  }
  if (options.sales) await measureSales({ databaseUrl, limitUrl, folder, seconds, orders, workers }, report);
  if (options.events)
    await measureEvents(
      { silentUrl, connectedUrl, folder, seconds },
      openSection(report, 'Checkouts with events and mails, compared with checkouts without'),
    );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
