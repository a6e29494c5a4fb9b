import argon2 from '@node-rs/argon2';

/** The function of the package: the files of a worker share it, and each file restores it at its end. */
const { hash } = argon2;

/** The least that argon2 accepts, in KiB. A digest contains its cost, so verifying it is as cheap. */
const LOW_COST = { memoryCost: 8, timeCost: 1 };

/** The password of the digest that unknown accounts are verified against; a worker computes it once, for all its files. */
const STAND_IN = /^[\w+/]{43}=$/;

/** Makes hashing a password cheap, which takes 25 ms at the cost of the program. Called by each-file.ts. */
export function lowerPasswordCost(): void {
  argon2.hash = (password, options, signal) =>
    hash(password, STAND_IN.test(String(password)) ? options : { ...options, ...LOW_COST }, signal);
}

/** Lets the tests of a file that check the cost of passwords hash them as the program does. */
export function useProductionPasswordCost(): void {
  argon2.hash = hash;
}
