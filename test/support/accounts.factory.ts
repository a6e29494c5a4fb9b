import { hashPassword } from '../../src/accounts/passwords';
import { hashToken, generateToken } from '../../src/access/tokens';
import { api } from './api';
import { testDb } from './database';
import { unique } from './unique';

export interface TestUser {
  id: number;
  email: string;
  token: string;
}

/** Creates a customer with an API token, without a usable password. */
export async function aCustomer(attributes: { email?: string } = {}): Promise<TestUser> {
  return insertUser(attributes.email ?? `${unique('customer')}@example.com`, 'customer');
}

/** Creates an admin with an API token. */
export async function anAdmin(db = testDb()): Promise<TestUser> {
  return insertUser(`${unique('admin')}@example.com`, 'admin', db);
}

let admin: Promise<TestUser> | undefined;

/** Returns the API with the token of an admin; the same admin in all tests of a file. */
export async function asAdmin(): Promise<ReturnType<typeof api>> {
  return api(await (admin ??= anAdmin()));
}

/** Creates a record through the API as an admin. @returns the body of the reply @throws Error unless it is 201 */
export async function createAsAdmin(path: string, body: object): Promise<any> {
  const reply = await (await asAdmin()).post(path, body);
  if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}

/** Creates a customer through the API, who can sign in with the password. */
export async function aSignedUpCustomer(password = 'secret12'): Promise<TestUser & { password: string }> {
  const email = `${unique('ann')}@example.com`;
  const reply = await api().post('/users', { user: { email, password } });
  return { id: reply.body.id, email, token: reply.body.token, password };
}

/** Gives a user a password. */
export async function setPassword({ id }: Pick<TestUser, 'id'>, password: string): Promise<void> {
  await testDb()('users')
    .where({ id })
    .update({ password_digest: await hashPassword(password) });
}

/** Creates a member of staff with a new role of these scopes, and an API token without limits. */
export async function aClerk(scopes: readonly string[]): Promise<TestUser> {
  const name = unique('role');
  await testDb()('roles').insert({ name, scopes });
  return insertUser(`${unique('clerk')}@example.com`, name);
}

/** Creates a user with the role and an API token of these scopes. */
export async function aLimitedToken(role: string, scopes: readonly string[]): Promise<TestUser> {
  const user = await insertUser(`${unique('limited')}@example.com`, role);
  await testDb()('api_tokens').where({ user_id: user.id }).update({ scopes });
  return user;
}

async function insertUser(email: string, role: string, db = testDb()): Promise<TestUser> {
  const token = generateToken();
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `WITH made AS (
       INSERT INTO users (email, password_digest) VALUES (:email, 'none') RETURNING id
     ), granted AS (
       INSERT INTO user_roles (user_id, role_id) SELECT id, (SELECT id FROM roles WHERE name = :role) FROM made
     ), signed_in AS (
       INSERT INTO api_tokens (user_id, token_hash, last_used_at)
       SELECT id, :hash, date_trunc('milliseconds', now()) FROM made
     )
     SELECT id FROM made`,
    { email, role, hash: hashToken(token) },
  );
  const [user] = rows;
  if (user === undefined) throw new Error('no user');
  return { id: user.id, email, token };
}
