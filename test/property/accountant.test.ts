import { createOwnShop } from '../support/own-shop';
import { playShop } from './accountant/play';
import { PLANS, type ShopName } from './accountant/shops';

/*
 * An accountant who knows only the rules of the shop keeps books of a German, a New York and a Japanese shop. The long form, with
 * other seeds, is accountant.slow.test.ts.
 */

test.each(Object.keys(PLANS) as ShopName[])('the books of a %s shop equal the accounts', async (name) => {
  const own = await createOwnShop();
  try {
    await playShop(name, own, { seed: 20_261_123, acts: 25 });
  } finally {
    await own.close();
  }
});
