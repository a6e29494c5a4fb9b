import z from 'zod';

/** A card as it is typed in. Its number and verification value live as long as the request, nowhere else. */
export const CardInput = z.record(z.string(), z.unknown()).meta({
  id: 'CardInput',
  override: {
    type: 'object',
    properties: {
      number: { type: 'string' },
      month: { type: 'string' },
      year: { type: 'string' },
      expiry: { type: 'string', description: 'MM/YY, in place of month and year.' },
      verification_value: { type: 'string' },
      name: { type: 'string' },
      cc_type: { type: 'string' },
    },
  },
});
