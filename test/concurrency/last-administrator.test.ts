import { anAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';

const ADMIN_ROLE = "(SELECT id FROM roles WHERE name = 'admin')";

const listAdmins = async (): Promise<number[]> =>
  testDb()('user_roles').whereRaw(`role_id = ${ADMIN_ROLE}`).pluck('user_id');

beforeEach(async () => {
  await testDb().raw(`DELETE FROM user_roles WHERE role_id = ${ADMIN_ROLE}`);
});

test('two administrators who demote each other leave one', async () => {
  const [ann, bob] = [await anAdmin(), await anAdmin()];
  const demote = (by: typeof ann, whom: typeof ann) =>
    api(by).put(`/users/${whom.id}`, { user: { roles: ['customer'] } });
  const replies = await Promise.all([demote(ann, bob), demote(bob, ann)]);
  expect(replies.map(({ status }) => status).sort()[0]).toBe(200);
  expect(await listAdmins()).toHaveLength(1);
});

test('administrators who are deleted, erased and demoted at once leave one', async () => {
  const admins = [await anAdmin(), await anAdmin(), await anAdmin()] as const;
  const replies = await Promise.all([
    api(admins[0]).delete(`/users/${admins[1].id}`),
    api(admins[1]).put(`/users/${admins[2].id}/erase`),
    api(admins[2]).put(`/users/${admins[0].id}`, { user: { roles: [] } }),
  ]);
  for (const { status } of replies) expect(status).toBeLessThan(500);
  expect((await listAdmins()).length).toBeGreaterThan(0);
});
