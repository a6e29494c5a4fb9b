import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Response } from 'supertest';
import { closeDatabase } from '../../src/platform/database/knex';
import { makeTestApp } from '../support/api';
import { buildGateways } from '../support/gateways';
import { createDemoDatabaseWithOrders } from '../support/demo-shop';
import {
  examples,
  prepareExample,
  sequenceReset,
  sendExample,
  type Example,
} from '../support/reference-examples';

class RollBack extends Error {}

/** Second paths and verbs of an endpoint are the same code. */
const writes = examples.filter(
  ({ endpoint, method }) =>
    !['get', 'patch'].includes(method) &&
    !endpoint.path.startsWith('/checkouts/:number/') &&
    // It revokes the token of its request, so it cannot be repeated.
    endpoint.route !== 'delete /sessions' &&
    endpoint.ignoresIdempotencyKey !== true,
);

/**
 * The examples that change nothing that is audited: the state of an import is not. Customers are not audited either.
 */
const NOT_AUDITED: readonly string[] = [
  'put /classifications',
  'post /passwords',
  'put /orders/:number/associate',
  'put /orders/:number/payments/:id/authorize',
  'put /orders/:number/retax',
  'put /stock_locations/:id',
  'post /webhooks/:id/test',
  'put /webhooks/:id/deliveries/:delivery_id/redeliver',
  // Jobs are not audited.
  'put /undelivered_mails/retry',
  'delete /undelivered_mails/:id',
];

/** Expects an entry of the audit log for the request, because an administrator sends the examples. */
async function expectAudited(db: Knex, { endpoint }: Example, reply: Response): Promise<void> {
  const entries = await db('audit_log').where({ request_id: reply.headers['x-request-id'] });
  expect([endpoint.route, entries.length > 0]).toEqual([
    endpoint.route,
    !NOT_AUDITED.includes(endpoint.route),
  ]);
}

const shownOf = ({ status, text, headers }: Response) => [status, text, headers['content-type']];

/** Returns how many rows of each table this transaction has written. */
async function countWrites(tx: Knex): Promise<unknown> {
  const { rows } = await tx.raw(`
    SELECT relname AS table, n_tup_ins + n_tup_upd + n_tup_del AS written
    FROM pg_stat_xact_user_tables
    WHERE relname NOT LIKE 'idempotency\\_%'
      -- They remember when a token was used last, and count attempts, also repeated ones.
      AND relname NOT IN ('api_tokens', 'rate_limits')
    ORDER BY relname`);
  return rows;
}

describe('the write examples of the reference, sent twice under one key', () => {
  let db: Knex;
  let resetSequences: string;

  beforeAll(async () => {
    db = await createDemoDatabaseWithOrders();
    resetSequences = await sequenceReset(db);
  });

  afterAll(() => closeDatabase(db));

  /** Sends the example twice in a transaction that is rolled back; `between` happens in between. */
  async function sendTwice(
    example: Example,
    { before, between }: Record<'before' | 'between', (tx: Knex) => Promise<void>>,
  ): Promise<void> {
    const rolledBack = db.transaction(async (tx) => {
      const shop = makeTestApp({ db: tx, gateways: buildGateways() });
      const prepared = await prepareExample(shop, example);
      await before(tx);
      const key = randomUUID();
      const first = await sendExample(shop, prepared, key);
      expect(example.success).toContain(String(first.status));
      await expectAudited(tx, example, first);
      const written = await countWrites(tx);
      await between(tx);
      const second = await sendExample(shop, prepared, key);
      expect(shownOf(second)).toEqual(shownOf(first));
      expect(await countWrites(tx)).toEqual(written);
      throw new RollBack();
    });
    await expect(rolledBack).rejects.toThrow(RollBack);
    await db.raw(resetSequences);
  }

  test.each(writes.map((example) => [`${example.method} ${example.endpoint.path}`, example] as const))(
    '%s',
    async (_name, example) => {
      // As after a crash between the last commit and the reply: the reply is never stored, the claim runs out.
      await sendTwice(example, {
        before: async (tx) => {
          await tx.raw(`
            CREATE FUNCTION crash_before_reply() RETURNS trigger LANGUAGE plpgsql AS
              $$ BEGIN IF NEW.reply IS NULL THEN RETURN NEW; END IF; RETURN NULL; END $$;
            CREATE TRIGGER crash BEFORE UPDATE ON idempotency_keys
              FOR EACH ROW EXECUTE FUNCTION crash_before_reply();`);
        },
        between: async (tx) => {
          const kept = await tx('idempotency_keys').first('results', 'reply');
          expect([kept.results.length > 0, kept.reply]).toEqual([true, null]);
          await tx('idempotency_keys').update({ claimed_until: tx.raw(`now() - interval '1 minute'`) });
        },
      });
    },
  );
});
