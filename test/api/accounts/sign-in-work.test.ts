import argon2 from '@node-rs/argon2';
import { createRateLimits } from '../../../src/platform/rate-limits';
import { aCustomer, aSignedUpCustomer } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { anAddress } from '../../support/limits';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';
import { useProductionPasswordCost } from '../../support/password-cost';

useProductionPasswordCost();

/**
 * A refused sign-in does the same work for every account, so that its duration does not reveal which accounts exist.
 * The tests count the work instead of measuring time.
 */
const COST = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

/** An account that may sign in, or may not, by its e-mail address. */
const ACCOUNTS: Record<string, () => Promise<string>> = {
  'a known account': async () => (await aSignedUpCustomer()).email,
  'an unknown account': () => Promise.resolve(`${unique('no')}@example.com`),
  'an account without a password': async () => (await aCustomer()).email,
};

// The first sign-in of a process also hashes the stand-in for missing digests.
beforeAll(() => api().post('/sessions', { email: `${unique('no')}@example.com`, password: 'wrong-one' }));

afterEach(() => jest.restoreAllMocks());

/** Signs in once from a new address, and returns the status and the work. */
async function measureSignIn(email: string, store = makeTestApp({}, { trustProxy: 1 })) {
  const guest = api({ headers: { 'X-Forwarded-For': anAddress() } }, store);
  const verify = jest.spyOn(argon2, 'verify');
  const hash = jest.spyOn(argon2, 'hash');
  let status = 0;
  const statements = await countQueries(async () => {
    status = (await guest.post('/sessions', { email, password: 'wrong-one' })).status;
  });
  const verifications = verify.mock.calls.map(([digest, password]) => ({
    cost: COST.test(String(digest)),
    password,
  }));
  const hashes = hash.mock.calls.length;
  jest.restoreAllMocks();
  return { status, verifications, hashes, statements };
}

test.each(Object.keys(ACCOUNTS))('%s: one verification, of the usual cost', async (whose) => {
  const email = await ACCOUNTS[whose]?.();
  expect(await measureSignIn(email ?? '')).toMatchObject({
    status: 401,
    verifications: [{ cost: true, password: 'wrong-one' }],
    hashes: 0,
  });
});

test('all accounts take the same number of statements', async () => {
  const counts = new Set<number>();
  for (const create of Object.values(ACCOUNTS)) counts.add((await measureSignIn(await create())).statements);
  expect([...counts]).toEqual([expect.any(Number)]);
});

test.each(Object.keys(ACCOUNTS))('%s: no verification beyond the limit', async (whose) => {
  const store = makeTestApp({ limits: createRateLimits(testDb(), 0.1) }, { trustProxy: 1 });
  const email = (await ACCOUNTS[whose]?.()) ?? '';
  expect((await measureSignIn(email, store)).status).toBe(401);
  expect(await measureSignIn(email, store)).toMatchObject({ status: 429, verifications: [], hashes: 0 });
});

test('attempts of an address that wait for its limit leave the slots for passwords to others', async () => {
  const { email, password } = await aSignedUpCustomer();
  const [flood, calm] = [anAddress(), anAddress()];
  const limits = createRateLimits(testDb(), 1);
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const take: typeof limits.take = async (keys) => {
    if (keys.some(({ key }) => key === flood)) await held;
    return limits.take(keys);
  };
  const store = makeTestApp({ limits: { ...limits, take } }, { trustProxy: 1 });
  const from = (address: string) => api({ headers: { 'X-Forwarded-For': address } }, store);
  const flooding = Array.from({ length: 5 }, () =>
    from(flood).post('/sessions', { email: `${unique('no')}@example.com`, password: 'wrong-one' }),
  );
  try {
    expect((await from(calm).post('/sessions', { email, password })).status).toBe(201);
  } finally {
    letGo();
  }
  expect((await Promise.all(flooding)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
});
