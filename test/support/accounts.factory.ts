import { hashToken, newToken } from '../../src/accounts/tokens';
import { testDb } from './database';
import { unique } from './unique';

export interface TestUser {
  id: number;
  email: string;
  token: string;
}

/** A customer with an API token. Signing in is not part of most tests, so the password cannot be used. */
export async function aCustomer(attributes: { email?: string } = {}): Promise<TestUser> {
  return insertUser(attributes.email ?? `${unique('customer')}@example.com`, 'customer');
}

/** An admin with an API token. */
export async function anAdmin(): Promise<TestUser> {
  return insertUser(`${unique('admin')}@example.com`, 'admin');
}

async function insertUser(email: string, role: 'customer' | 'admin'): Promise<TestUser> {
  const db = testDb();
  const [user] = await db('users').insert({ email, password_digest: 'none' }).returning('id');
  const token = newToken();
  await db('user_roles').insert({
    user_id: user.id,
    role_id: db('roles').select('id').where({ name: role }),
  });
  await db('api_tokens').insert({ user_id: user.id, token_hash: hashToken(token) });
  return { id: user.id, email, token };
}
