import type { OwnShop } from '../../support/own-shop';
import { expectNoViolations } from '../../support/invariants';
import type { Play } from './act';
import { ACTS } from './acts';
import { auditReports, auditSale } from './audit';
import { createDice } from './figures';
import { openShop, type ShopName } from './shops';

/** How often all reports are compared, in acts. */
const REPORTS_EVERY = 25;

/**
 * Plays random acts in a shop and compares it with the accountant's own books after each.
 * @throws Error with the differences and what was done with the order
 */
export async function playShop(
  name: ShopName,
  own: OwnShop,
  { seed, acts }: { seed: number; acts: number },
): Promise<void> {
  const dice = createDice(seed);
  const play: Play = { shop: await openShop(name, own), dice, sales: [], refunds: [], story: [] };
  const chances = ACTS.flatMap(([weight, title, act]) =>
    Array.from({ length: weight }, () => ({ title, act })),
  );
  for (let count = 1, attempts = 0; count <= acts; attempts++) {
    if (attempts > 20 * acts) throw new Error('nothing is left to do');
    const { title, act } = dice.choose(chances);
    play.story.push(`# ${title}`);
    const done = await act(play);
    if (done === null) {
      play.story.pop();
      continue;
    }
    done.sale.settleRefunds(done.refund ?? 0n);
    const differences = await auditSale(play, done.sale);
    if (count % REPORTS_EVERY === 0 || count === acts) differences.push(...(await auditReports(play)));
    if (differences.length > 0) {
      throw new Error(
        `act ${count} (${title}, seed ${seed}):\n${differences.join('\n')}\n${play.story.slice(-25).join('\n')}`,
      );
    }
    count++;
  }
  await expectNoViolations(undefined, own.db);
}
