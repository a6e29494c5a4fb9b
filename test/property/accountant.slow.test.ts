import { randomInt } from 'node:crypto';
import { createOwnShop } from '../support/own-shop';
import { playShop } from './accountant/play';
import { PLANS, type ShopName } from './accountant/shops';

/** ACCOUNTANT_SEED=random plays other acts, a number repeats a run; ACCOUNTANT_ACTS makes it shorter or longer. */
const { ACCOUNTANT_SEED: WANTED = '20261123' } = process.env;
const SEED = WANTED === 'random' ? randomInt(2 ** 31) : Number(WANTED);
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
);
