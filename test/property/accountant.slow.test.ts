import { randomInt } from 'node:crypto';
import { createOwnShop } from '../support/own-shop';
import { playShop } from './accountant/play';
import { PLANS, type ShopName } from './accountant/shops';

/** ACCOUNTANT_SEED repeats a failed run; ACCOUNTANT_ACTS makes it shorter or longer. */
const SEED = Number(process.env.ACCOUNTANT_SEED ?? randomInt(2 ** 31));
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
