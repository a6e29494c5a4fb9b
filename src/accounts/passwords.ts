import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { Db } from '../platform/database/knex';
import { InvalidResource } from '../platform/errors';
import { createSlots } from '../platform/slots';
import { isOfKnownWords } from './password-words.rules';
import { findSender } from './stores/sender';

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

/** The minimum that OWASP recommends for argon2id, the default variant of the library. Memory is in KiB. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Runs a task in one of the slots for password hashes. A hash takes 19 MiB and a thread of the pool that files and DNS
 * share, so only two run at once, and a flood of sign-ins fills this queue rather than the memory.
 */
export const withPasswordSlot = createSlots({ concurrency: 2, waiting: 128 });

/** How many of the most common passwords are rejected. */
const COMMON_PASSWORDS = 10_000;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

let decoy: Promise<string> | undefined;

/** Returns the argon2id digest of a password with a new salt. Takes a password slot: never call it from inside one. */
export async function hashPassword(password: string): Promise<string> {
  return withPasswordSlot(() => hash(password, COST));
}

/** A password that a user has chosen, and the account's e-mail address. */
interface NewPassword {
  password: string;
  email: string;
}

/** Returns the digest of a password that a user has chosen, as `hashPassword` does. @throws InvalidResource as `checkNewPassword` */
export async function hashNewPassword(db: Db, chosen: NewPassword): Promise<string> {
  await checkNewPassword(db, chosen);
  return hashPassword(chosen.password);
}

/**
 * Checks a password that a user has chosen.
 * @throws InvalidResource for one of the most common passwords, in any letter case, and for words of the shop and the e-mail address
 */
export async function checkNewPassword(db: Db, { password, email }: NewPassword): Promise<void> {
  if (await isCommonPassword(password)) {
    throw new InvalidResource({ password: ['is too common'] });
  }
  const { name, url } = await findSender(db);
  if (isOfKnownWords(password, { shopName: name, shopUrl: url, email }))
    throw new InvalidResource({ password: ['is too easy to guess'] });
}

/** Returns whether accounts refuse a password that the settings may have: it is too short or too common. */
export async function isWeakPassword(password: string): Promise<boolean> {
  return password.length < MIN_PASSWORD_LENGTH || (await isCommonPassword(password));
}

async function isCommonPassword(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords();
  return (await commonPasswords).has(password.toLowerCase());
}

/** Loads the list with the first new password: it takes 5 MB of memory. The most common come first. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, COMMON_PASSWORDS));
}

/**
 * Returns whether `password` matches the digest. Null and a digest that is not argon2id never match, but take as long
 * as a real one. Run it inside a password slot.
 */
export async function verifyPassword(digest: string | null, password: string): Promise<boolean> {
  decoy ??= hash(randomBytes(32).toString('base64'), COST);
  const standIn = await decoy;
  const isReal = digest !== null && digest.startsWith('$argon2id$');
  const matches = await verify(isReal ? digest : standIn, password);
  return isReal && matches;
}

/** Generates a password of 120 random bits, as base64url text. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url');
}
