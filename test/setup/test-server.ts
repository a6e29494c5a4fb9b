/**
 * The variable with the URL of the test database server, which the workers inherit. globalSetup starts a server and sets it, unless
 * it is set: then the tests use that server, as a superuser.
 */
export const SERVER_URL = 'STORE_TEST_SERVER_URL';

/** The migrated database with the reference data. Each test file clones it; tests never connect to it. */
export const TEMPLATE = 'store_template';

/** Returns the URL of a database of the test server. */
export function testDatabaseUrl(database: string): string {
  const url = new URL(process.env[SERVER_URL] ?? 'postgres://the-global-setup-has-not-run');
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * The variable with the folder that the test files of a run share. globalSetup creates it; it is removed
 * after the run.
 */
export const RUN_FOLDER = 'STORE_TEST_RUN_FOLDER';

export function getRunFolder(): string {
  return process.env[RUN_FOLDER] ?? '/the-global-setup-has-not-run';
}
