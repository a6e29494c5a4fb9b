import type { Db } from '../../platform/database/knex';
import { groupBy } from '../../platform/group-by';

/** What replies show of a taxon, and its place in the tree; see the migration for what lft and rgt mean. */
export interface TaxonRow {
  id: number;
  taxonomy_id: number;
  parent_id: number | null;
  name: string;
  pretty_name: string;
  permalink: string;
  meta_title: string | null;
  meta_description: string | null;
  lft: number;
  rgt: number;
  depth: number;
}

/** A taxon with its direct children, in tree order. */
export interface TaxonWithChildren extends TaxonRow {
  children: TaxonRow[];
}

const TAXON_COLUMNS = [
  'taxons.id',
  'taxons.taxonomy_id',
  'taxons.parent_id',
  'taxons.name',
  'taxons.pretty_name',
  'taxons.permalink',
  'taxons.meta_title',
  'taxons.meta_description',
  'taxons.lft',
  'taxons.rgt',
  'taxons.depth',
] as const;

/** These taxons with their direct children, by taxonomy and tree order; unknown ids are skipped. Two queries. */
export async function findTaxonsWithChildren(db: Db, ids: readonly number[]): Promise<TaxonWithChildren[]> {
  if (ids.length === 0) return [];
  const taxons = await db<TaxonRow>('taxons')
    .select(...TAXON_COLUMNS)
    .whereRaw('taxons.id = ANY(?)', [[...ids]])
    .orderBy(['taxonomy_id', 'lft', 'id']);
  return withChildren(db, taxons);
}

async function withChildren(db: Db, taxons: readonly TaxonRow[]): Promise<TaxonWithChildren[]> {
  if (taxons.length === 0) return [];
  const children = await db<TaxonRow>('taxons')
    .select(...TAXON_COLUMNS)
    .whereRaw('taxons.parent_id = ANY(?)', [taxons.map((taxon) => taxon.id)])
    .orderBy(['parent_id', 'lft', 'id']);
  const byParent = groupBy(children, (child) => child.parent_id);
  return taxons.map((taxon) => ({ ...taxon, children: byParent.get(taxon.id) ?? [] }));
}
