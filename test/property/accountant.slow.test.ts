import { createOwnShop } from '../support/own-shop';
import { playShop } from './accountant/play';
import { PLANS, type ShopName } from './accountant/shops';

/** ACCOUNTANT_SEED plays other acts; ACCOUNTANT_ACTS makes the run shorter or longer. Open: 1214221606 in the Japanese shop, act 325. */
const SEED = Number(process.env.ACCOUNTANT_SEED ?? 1);
const ACTS = Number(process.env.ACCOUNTANT_ACTS ?? 500);

test.each(Object.keys(PLANS) as ShopName[])(
  `the books of a %s shop equal the accounts after ${ACTS} acts (ACCOUNTANT_SEED=${SEED})`,
  async (name) => {
    const own = await createOwnShop();
    try {
      await playShop(name, own, { seed: SEED, acts: ACTS });
    } finally {
      await own.close();
    }
  },
  900_000,
);
