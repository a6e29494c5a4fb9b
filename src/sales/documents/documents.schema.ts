import { z } from 'zod';

export const DocumentJson = z
  .object({
    kind: z.enum(['invoice', 'credit_note']),
    number: z.string().meta({
      description: 'Without gaps within a store and kind.',
      examples: ['INV-000001'],
    }),
    created_at: z.iso.datetime(),
    total: z.string(),
    url: z.string().meta({ description: 'The path of the PDF.' }),
  })
  .meta({ id: 'Document' });

export type DocumentJson = z.output<typeof DocumentJson>;
