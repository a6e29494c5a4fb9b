import { asAdmin } from './accounts.factory';
import { unique } from './unique';

/** Creates a taxonomy and returns the body of the reply, with its root. */
export async function aTaxonomy(attributes: { name?: string } = {}): Promise<TaxonomyReply> {
  const reply = await (
    await asAdmin()
  ).post('/taxonomies', {
    taxonomy: { name: attributes.name ?? unique('Taxonomy') },
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Creates a taxon and returns the body of the reply; below the root by default. */
export async function aTaxon(
  taxonomy: { id: number },
  attributes: { name?: string; parent_id?: number; child_index?: number } = {},
): Promise<TaxonReply> {
  const reply = await (
    await asAdmin()
  ).post(`/taxonomies/${taxonomy.id}/taxons`, {
    taxon: { name: unique('Taxon'), ...attributes },
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

export interface TaxonReply {
  id: number;
  name: string;
  pretty_name: string;
  permalink: string;
  parent_id: number | null;
  taxonomy_id: number;
  taxons?: TaxonReply[];
}

export interface TaxonomyReply {
  id: number;
  name: string;
  root: TaxonReply;
}
