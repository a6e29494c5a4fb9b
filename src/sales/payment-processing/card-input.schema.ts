import z from 'zod';

/** A card as the client sends it. Its number and verification value exist only while the request runs. */
export const CardInput = z.record(z.string(), z.unknown()).meta({
  id: 'CardInput',
  override: {
    type: 'object',
    properties: {
      number: { type: 'string' },
      month: { type: 'string' },
      year: { type: 'string' },
      expiry: { type: 'string', description: 'MM/YY; replaces month and year.' },
      verification_value: { type: 'string' },
      name: { type: 'string' },
      cc_type: { type: 'string' },
      gateway_payment_profile_id: {
        type: 'string',
        description:
          'The token of a card that a page script of the gateway has read. Send it without `number` and `verification_value`; the other fields are then optional.',
      },
      last_digits: { type: 'string', description: 'Only with a token.' },
    },
  },
});
