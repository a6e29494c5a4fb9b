import { generateDigits } from '../../order/numbers';

/** Test cards that are approved at once. */
export const ACCEPTED_CARDS: ReadonlySet<string> = new Set([
  '1',
  '4111111111111111',
  '4012888888881881',
  '4222222222222',
  '5500000000000004',
  '5555555555554444',
  '5105105105105100',
  '2223000010309703',
  '378282246310005',
  '371449635398431',
  '378734493671000',
  '340000000000009',
  '6011000000000004',
  '6011111111111117',
  '6011000990139424',
]);

/**
 * How the provider answers a charge of a card:
 * - `action`: it waits for an action of the buyer, which `confirm` finishes.
 * - `pending`: it waits for an event.
 * - `timeout`: it charges the card, and its answer is lost.
 */
export type Behavior = 'approve' | 'action' | 'pending' | 'timeout';

/** Other cards, and the digits that begin their profiles, because the number is not kept. */
const SPECIAL_CARDS: Readonly<Record<string, { behavior: Behavior; digits: string }>> = {
  '4000002500003155': { behavior: 'action', digits: '3155' },
  '4000000000000077': { behavior: 'pending', digits: '0077' },
  '4000000000000341': { behavior: 'timeout', digits: '0341' },
};

export const PROFILE_PREFIX = 'BGS-';
/** The tokens that the gateway confirms. */
const TOKEN = /^BGS-\d{6}$/;

/** Creates the profile of a card; null for a card that is always declined. */
export function createProfile(number: string): string | null {
  const special = Object.hasOwn(SPECIAL_CARDS, number) ? SPECIAL_CARDS[number] : undefined;
  if (special !== undefined) return PROFILE_PREFIX + special.digits + generateDigits(2);
  if (!ACCEPTED_CARDS.has(number)) return null;
  for (;;) {
    const profile = PROFILE_PREFIX + generateDigits(6);
    if (readBehavior(profile) === 'approve') return profile;
  }
}

/** Returns how charges of a profile are answered. */
export function readBehavior(profile: string): Behavior {
  const digits = profile.slice(PROFILE_PREFIX.length, PROFILE_PREFIX.length + 4);
  return Object.values(SPECIAL_CARDS).find((card) => card.digits === digits)?.behavior ?? 'approve';
}

/** Returns whether a text has the form of the gateway's tokens. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}
