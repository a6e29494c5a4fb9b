/** Where the parts of one jest run find the test database server; globalSetup fills it, workers inherit it. */
export const SERVER_URL = 'STORE_TEST_SERVER_URL';

/** Migrated and filled with the reference data; cloned by each test file, never connected to by tests. */
export const TEMPLATE = 'store_template';

/** The URL of one database of the test server. */
export function testDatabaseUrl(database: string): string {
  const url = new URL(process.env[SERVER_URL] ?? 'postgres://the-global-setup-has-not-run');
  url.pathname = `/${database}`;
  return url.href;
}

/** The folder of one jest run, for what its test files share; globalSetup makes it, the end of the run removes it. */
export const RUN_FOLDER = 'STORE_TEST_RUN_FOLDER';

export function getRunFolder(): string {
  return process.env[RUN_FOLDER] ?? '/the-global-setup-has-not-run';
}
