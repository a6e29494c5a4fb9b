import z from 'zod';

/** A card as the client sends it. Its number and verification value exist only while the request runs. */
const CardInput = z.record(z.string(), z.unknown()).meta({
  id: 'CardInput',
  override: {
    type: 'object',
    properties: {
      number: {
        type: 'string',
        description: 'The card number; spaces and dashes are ignored. Never stored.',
      },
      month: { type: 'string', description: 'The month of expiry, `1` to `12`.' },
      year: { type: 'string', description: 'The year of expiry, with two or four digits.' },
      expiry: { type: 'string', description: 'MM/YY; replaces month and year.' },
      verification_value: { type: 'string', description: 'The verification value (CVV). Never stored.' },
      name: { type: 'string', description: 'The name on the card.' },
      cc_type: {
        type: 'string',
        description: 'The brand, such as `visa`. Defaults to the one that the number implies.',
      },
      gateway_payment_profile_id: {
        type: 'string',
        description:
          'The token of a card that a page script of the gateway has read. Send it without `number` and `verification_value`; the other fields are then optional.',
      },
      save: {
        type: 'boolean',
        description:
          'Whether the card becomes one of the saved cards of the customer. Defaults to true; cards of guests are never saved.',
      },
      last_digits: { type: 'string', description: 'Only with a token.' },
    },
  },
});

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
