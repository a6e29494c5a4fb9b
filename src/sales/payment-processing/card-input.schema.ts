import z from 'zod';

/** A value of a card, which is checked together with the others. */
const value = (type: 'string' | 'boolean', description: string) =>
  z.unknown().optional().meta({ override: { type }, description });

/** A card as the client sends it. Its number and verification value exist only while the request runs. */
export const CardInput = z
  .looseObject({
    number: value('string', 'The card number; spaces and dashes are ignored. Never stored.'),
    month: value('string', 'The month of expiry, `1` to `12`.'),
    year: value('string', 'The year of expiry, with two or four digits.'),
    expiry: value('string', 'MM/YY; replaces month and year.'),
    verification_value: value('string', 'The verification value (CVV). Never stored.'),
    name: value('string', 'The name on the card.'),
    cc_type: value('string', 'The brand, such as `visa`. Defaults to the one that the number implies.'),
    gateway_payment_profile_id: value(
      'string',
      'The token of a card that a page script of the gateway has read. Send it without `number` and `verification_value`; the other fields are then optional.',
    ),
    gateway_customer_profile_id: value('string', 'The customer of the token. Only of an imported payment.'),
    save: value(
      'boolean',
      'Whether the card becomes one of the saved cards of the customer. Defaults to true; cards of guests are never saved.',
    ),
    last_digits: value('string', 'Only with a token, or of an imported payment.'),
  })
  .meta({ id: 'CardInput' });

export type CardInput = z.output<typeof CardInput>;

/**
 * The card of a payment. Null, empty text and an empty list count as missing; anything else that is not an object is
 * invalid, because the payment would be stored without its card.
 */
export function nestedCard(): z.ZodType<z.output<typeof CardInput> | undefined> {
  return z.preprocess(readSource, CardInput.optional()).optional();
}

/** Returns undefined for the values that count as no card; others as they are. */
export function readSource(raw: unknown): unknown {
  return raw === null || raw === '' || (Array.isArray(raw) && raw.length === 0) ? undefined : raw;
}
