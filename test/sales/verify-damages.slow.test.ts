import { withTransaction, type Tx } from '../../src/platform/database/transaction';
import { findViolatingRows, INVARIANTS, type Violation } from '../../src/sales/verify/find-violations';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import type { Damage } from './damages/damage';
import { stockDamages } from './damages/stock-damages';
import { stockBookDamages } from './damages/stock-book-damages';
import { bookDamages } from './damages/book-damages';
import { evidenceDamages } from './damages/evidence-damages';
import { documentDamages } from './damages/document-damages';
import { listingDamages } from './damages/listing-damages';
import { moneyDamages } from './damages/money-damages';
import { createSampleShop } from './damages/sample-shop';
import { recordDamages } from './damages/record-damages';
import { saleDamages } from './damages/sale-damages';

const DAMAGES: readonly Damage[] = [
  ...saleDamages,
  ...stockDamages,
  ...stockBookDamages,
  ...moneyDamages,
  ...recordDamages,
  ...documentDamages,
  ...bookDamages,
  ...evidenceDamages,
  ...listingDamages,
];

let shop: Record<string, string | number>;

beforeAll(async () => {
  shop = { ...(await createSampleShop()) };
});

class Rollback extends Error {}

type Outcome = { rows: Violation['rows'] } | { constraint: string };

/**
 * Applies a damage, returns the rows that violate the invariant it is found by, or the constraint that rejected it, and rolls it back.
 */
async function tryDamage({ sql, by }: Damage): Promise<Outcome> {
  const invariant = INVARIANTS.find(({ name }) => 'found' in by && name === by.found);
  let rows: Violation['rows'] = [];
  try {
    await withTransaction({ db: testDb() }, async (tx) => {
      for (const statement of [sql].flat()) await change(tx, statement);
      if (invariant !== undefined) rows = await findViolatingRows(tx, invariant);
      throw new Rollback();
    });
  } catch (error) {
    if (error instanceof Rollback) return { rows };
    if (error instanceof Error && 'constraint' in error) return { constraint: String(error.constraint) };
    throw error;
  }
  throw new Error('the damage was not rolled back');
}

/** Runs a statement and throws if it changes no row. */
async function change(tx: Tx, statement: string): Promise<void> {
  const { rowCount } = await tx.raw<{ rowCount: number | null }>(statement, shop);
  if (rowCount === 0) throw new Error(`the statement changed no row: ${statement}`);
}

test('the undamaged shop has no violations', async () => {
  await expectNoViolations();
});

test('hundreds of damages cover every invariant', () => {
  expect(DAMAGES.length).toBeGreaterThan(200);
  const tried = new Set(DAMAGES.flatMap(({ by }) => ('found' in by ? [by.found] : [])));
  expect(INVARIANTS.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});

test.each(DAMAGES.map((damage) => [damage.name, damage] as const))('%s', async (_name, damage) => {
  const outcome = await tryDamage(damage);
  if ('refused' in damage.by) expect(outcome).toEqual({ constraint: damage.by.refused });
  else expect(outcome).toEqual({ rows: expect.arrayContaining([expect.anything()]) });
});
