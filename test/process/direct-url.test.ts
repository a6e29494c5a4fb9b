import { awaitDirectUrl } from '../../src/platform/database/open-database';
import { ensureTestDatabase } from '../support/database';
import { testDatabaseUrl } from '../setup/test-server';

test('DATABASE_DIRECT_URL leads to the database of DATABASE_URL, or the store does not start', async () => {
  const own = await ensureTestDatabase();
  await expect(awaitDirectUrl(own, own)).resolves.toBe(own);
  await expect(awaitDirectUrl(testDatabaseUrl('postgres'), own)).rejects.toThrow(
    'DATABASE_DIRECT_URL leads to another database than DATABASE_URL: name the same one in both',
  );
});
