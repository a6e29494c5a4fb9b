import { z } from 'zod';
import { DOCUMENT_KINDS } from './documents.repository';

export const DocumentJson = z
  .object({
    kind: z.enum(DOCUMENT_KINDS),
    number: z.string().meta({
      description: 'Without gaps within the series of a store, kind and prefix.',
      examples: ['INV-000001'],
    }),
    created_at: z.iso.datetime(),
    total: z.string(),
    url: z.string().meta({ description: 'The path of the PDF.' }),
  })
  .meta({ id: 'Document' });

export type DocumentJson = z.output<typeof DocumentJson>;
