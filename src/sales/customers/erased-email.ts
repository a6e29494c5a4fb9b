import { randomBytes } from 'node:crypto';

/** A domain that cannot exist. */
const DOMAIN = '@erased.invalid';

/** Builds the e-mail address that an erased user gets, in the account and in orders. @param isTaken somebody else has the usual one */
export function buildErasedEmail(userId: number, { isTaken }: { isTaken: boolean }): string {
  const suffix = isTaken ? `-${randomBytes(6).toString('hex')}` : '';
  return `erased-${userId}${suffix}${DOMAIN}`;
}

/** Whether an e-mail address is the one of an erased user, to which nothing can be sent. */
export function isErasedEmail(email: string): boolean {
  return email.startsWith('erased-') && email.endsWith(DOMAIN);
}
