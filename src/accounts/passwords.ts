import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createSlots } from '../platform/slots';

export const SHORTEST_PASSWORD = 6;
export const LONGEST_PASSWORD = 128;

/** The least that OWASP asks of argon2id, the variant this library uses unless told; memory in KiB. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash takes 19 MiB and a thread of the pool that files and DNS share: two at once leave them room, and
 * whoever floods the sign-in fills this line and not the memory.
 */
export const withPasswordSlot = createSlots({ concurrency: 2, waiting: 128 });

let decoy: Promise<string> | undefined;

/** The argon2id digest of a password, with its own salt. Takes a password slot, so never call it from inside one. */
export async function hashPassword(password: string): Promise<string> {
  return withPasswordSlot(() => hash(password, COST));
}

/**
 * Whether `password` is the one whose digest is given. Null, or a digest nobody can sign in with, takes as long as a
 * real one and is never true. Run it inside a password slot.
 */
export async function verifyPassword(digest: string | null, password: string): Promise<boolean> {
  decoy ??= hash(randomBytes(32).toString('base64'), COST);
  const standIn = await decoy;
  const isReal = digest !== null && digest.startsWith('$argon2id$');
  const matches = await verify(isReal ? digest : standIn, password);
  return isReal && matches;
}

/** A password for somebody who named none: 120 random bits, typeable. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url');
}
