import { randomInt } from 'node:crypto';
import { testDb } from './database';

const NETWORK = randomInt(256);
let addresses = 0;

/** Returns a network address that no other test uses. */
export function anAddress(): string {
  addresses += 1;
  return `10.${NETWORK}.${addresses >> 8}.${addresses & 255}`;
}

/** Lets the time of all limits pass. */
export async function passTime(): Promise<void> {
  await testDb()('rate_limits')
    .whereNot('key', 'like', 'familiar%')
    .update({ expire: Date.now() - 1 });
}
