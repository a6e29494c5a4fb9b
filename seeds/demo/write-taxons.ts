import type { Knex } from 'knex';
import { toSlug } from '../../src/platform/slug';
import { at, insertRows } from './insert-rows';
import { type TaxonContent, TAXONOMIES } from './taxonomies';

interface TaxonPlan {
  readonly content: TaxonContent;
  readonly parent: TaxonPlan | null;
  readonly pretty_name: string;
  readonly permalink: string;
  readonly depth: number;
  readonly lft: number;
  readonly rgt: number;
}

/** Taxon ids by name: the ids of the taxon and of its ancestors below the root. */
export type TaxonIds = ReadonlyMap<string, readonly number[]>;

/** Writes all taxonomies with their taxons. @throws Error if two taxons have the same name */
export async function writeTaxonomies(tx: Knex.Transaction): Promise<TaxonIds> {
  const rows = TAXONOMIES.map(({ name }, index) => ({ name, position: index + 1 }));
  const taxonomyIds = await insertRows(tx, 'taxonomies', rows);
  const ids = new Map<TaxonPlan, number>();
  for (const [index, root] of TAXONOMIES.entries()) {
    // In depth-first order, so that the id of a parent is known before its children are written.
    for (const plan of planTree(root)) {
      const inserted = await insertRows(tx, 'taxons', [buildTaxonRow(plan, at(taxonomyIds, index), ids)]);
      ids.set(plan, at(inserted, 0));
    }
  }
  return groupByName(ids);
}

function buildTaxonRow(plan: TaxonPlan, taxonomy_id: number, ids: ReadonlyMap<TaxonPlan, number>): object {
  const { pretty_name, permalink, depth, lft, rgt, content, parent } = plan;
  return {
    taxonomy_id,
    parent_id: parent === null ? null : (ids.get(parent) ?? null),
    name: content.name,
    description: content.description ?? null,
    pretty_name,
    permalink,
    depth,
    lft,
    rgt,
  };
}

/** Plans the taxons of a tree in depth-first order, numbered as a nested set from 1. */
function planTree(root: TaxonContent): TaxonPlan[] {
  const visit = (content: TaxonContent, parent: TaxonPlan | null, lft: number): TaxonPlan[] => {
    const segment = toSlug(content.name);
    const plan = {
      content,
      parent,
      pretty_name: parent === null ? content.name : `${parent.pretty_name} -> ${content.name}`,
      permalink: parent === null ? segment : `${parent.permalink}/${segment}`,
      depth: parent === null ? 0 : parent.depth + 1,
      lft,
      rgt: lft + 2 * countTaxons(content) - 1,
    };
    let next = lft + 1;
    const below = (content.children ?? []).flatMap((child) => {
      const subtree = visit(child, plan, next);
      next += 2 * subtree.length;
      return subtree;
    });
    return [plan, ...below];
  };
  return visit(root, null, 1);
}

function countTaxons({ children = [] }: TaxonContent): number {
  return children.reduce((sum, child) => sum + countTaxons(child), 1);
}

function groupByName(ids: ReadonlyMap<TaxonPlan, number>): TaxonIds {
  const result = new Map<string, number[]>();
  for (const [plan, id] of ids) {
    if (plan.parent === null) continue;
    if (result.has(plan.content.name)) throw new Error(`two taxons are named ${plan.content.name}`);
    const above = plan.parent.parent === null ? [] : (result.get(plan.parent.content.name) ?? []);
    result.set(plan.content.name, [...above, id]);
  }
  return result;
}
