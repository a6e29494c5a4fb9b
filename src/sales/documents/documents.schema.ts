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
    url: z.string().nullable().meta({
      description: 'The path of the PDF; null of an invoice that was made elsewhere, before an import.',
    }),
  })
  .meta({ id: 'Document' });

/** A document in the list of all. */
export const ListedDocumentJson = DocumentJson.extend({
  order_number: z.string().meta({ description: 'The number of the order.', examples: ['R123456789'] }),
  email: z.string().nullable().meta({ description: 'The e-mail address of the buyer.' }),
  currency: z.string(),
  net_total: z.string().meta({ description: 'The total without taxes, as a decimal.' }),
  tax_total: z.string().meta({ description: 'All taxes, as a decimal.' }),
}).meta({ id: 'ListedDocument' });

export type ListedDocumentJson = z.output<typeof ListedDocumentJson>;

export type DocumentJson = z.output<typeof DocumentJson>;
