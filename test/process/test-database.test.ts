import { testDb } from '../support/database';

test('the test database is migrated and contains countries and states', async () => {
  const [row] = await testDb()('countries').count<{ count: string }[]>('countries.id');

  expect(Number(row?.count)).toBeGreaterThan(200);
});
