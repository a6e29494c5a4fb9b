import { asAdmin } from '../../support/accounts.factory';
import type { api } from '../../support/api';
import { unique } from '../../support/unique';

const PATH = '/return_authorization_reasons';

describe('return authorization reasons', () => {
  let admin: ReturnType<typeof api>;
  beforeAll(async () => {
    admin = await asAdmin();
  });

  const aReason = async (attributes: object = {}): Promise<any> => {
    const made = await admin.post(PATH, {
      return_authorization_reason: { name: unique('reason'), ...attributes },
    });
    expect(made.status).toBe(201);
    return made.body;
  };

  test('are created, found and deactivated', async () => {
    const made = await aReason({ name: 'Too small' });
    expect(made).toEqual({ id: expect.any(Number), name: 'Too small', active: true, mutable: true });
    const off = await admin.put(`${PATH}/${made.id}`, { return_authorization_reason: { active: false } });
    expect(off.body).toEqual({ ...made, active: false });
    expect((await admin.get(`${PATH}/${made.id}`)).body).toEqual(off.body);
    const found = await admin.get(`${PATH}?q[active_false]=1&q[name_start]=too`);
    expect(found.body).toMatchObject({ return_authorization_reasons: [off.body], count: 1 });
    expect((await admin.get(`${PATH}/new`)).body).toEqual({
      attributes: ['id', 'name', 'active', 'mutable'],
      required_attributes: ['name'],
    });
  });

  test('have unique names, ignoring the letter case', async () => {
    await aReason({ name: 'Wrong Color' });
    for (const name of ['Wrong Color', 'wrong color', ' WRONG COLOR ']) {
      const reply = await admin.post(PATH, { return_authorization_reason: { name } });
      expect([reply.status, reply.body.errors]).toEqual([422, { name: ['has already been taken'] }]);
    }
    expect((await admin.post(PATH, { name: '' })).body.errors).toEqual({ name: ["can't be blank"] });
  });

  test('cannot be changed unless they are mutable', async () => {
    const fixed = await aReason({ mutable: false });
    const changed = await admin.put(`${PATH}/${fixed.id}`, {
      return_authorization_reason: { active: false },
    });
    expect([changed.status, changed.body.errors]).toEqual([422, { base: ['This reason cannot be changed'] }]);
    const removed = await admin.delete(`${PATH}/${fixed.id}`);
    expect([removed.status, removed.body.errors]).toEqual([422, { base: ['This reason cannot be deleted'] }]);
    expect((await admin.get(`${PATH}/${fixed.id}`)).body).toEqual(fixed);

    const freed = await admin.put(`${PATH}/${fixed.id}`, {
      return_authorization_reason: { mutable: true, active: false },
    });
    expect(freed.body).toMatchObject({ mutable: true, active: false });
    expect((await admin.delete(`${PATH}/${fixed.id}`)).status).toBe(204);
    expect((await admin.get(`${PATH}/${fixed.id}`)).status).toBe(404);
    expect((await admin.delete(`${PATH}/${fixed.id}`)).status).toBe(404);
    expect((await admin.put(`${PATH}/${fixed.id}`, { name: '' })).status).toBe(404);
  });
});
