import type { FieldErrors } from '../../platform/errors';
import { groupBy } from '../../platform/group-by';
import { toSlug } from '../../platform/slug';

/**
 * The tree of one taxonomy as an immutable value: functions that change a tree return a new one. Rules: behaviour
 * reference 5.5. Nothing recurses, so the depth of a tree is not limited by the stack.
 */
export interface TaxonTree {
  readonly nodes: ReadonlyMap<number, TaxonNode>;
  /** Children in order, by parent; a taxon without children may be absent. */
  readonly children: ReadonlyMap<number, readonly number[]>;
}

interface TaxonNode {
  id: number;
  /** Null for the root. */
  parent_id: number | null;
  name: string;
  /** The last part of the permalink. It is unique among siblings, so permalinks are unique. */
  segment: string;
}

/** The place of a taxon in the tree, with the values derived from it. */
export interface TaxonPlace {
  id: number;
  parent_id: number | null;
  name: string;
  pretty_name: string;
  permalink: string;
  lft: number;
  rgt: number;
  depth: number;
}

const BETWEEN_NAMES = ' -> ';
const MAX_SEGMENT = 255;

/** Builds the tree from its places. Siblings are in the order of `lft`. */
export function readTree(places: readonly TaxonPlace[]): TaxonTree {
  const inOrder = places.toSorted((a, b) => a.lft - b.lft);
  const nodes = inOrder.map(({ id, parent_id, name, permalink }) => ({
    id,
    parent_id,
    name,
    segment: parseLastSegment(permalink),
  }));
  const children = new Map<number, number[]>();
  for (const [parentId, siblings] of groupBy(nodes, (node) => node.parent_id)) {
    if (parentId !== null)
      children.set(
        parentId,
        siblings.map((node) => node.id),
      );
  }
  return { nodes: new Map(nodes.map((node) => [node.id, node])), children };
}

/**
 * Calculates the places of all taxons: lft and rgt from 1 without gaps in depth-first order, pretty names and
 * permalinks. Parents come before their children.
 */
export function calculatePlaces(tree: TaxonTree): TaxonPlace[] {
  const placed = new Map<number, TaxonPlace>();
  let next = 1;
  // Each taxon is visited twice: it gets its lft before its children and its rgt after them.
  const stack: { id: number; leaving: boolean }[] = findRootIds(tree).map((id) => ({ id, leaving: false }));
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const entered = placed.get(step.id);
    if (step.leaving && entered !== undefined) {
      entered.rgt = next++;
      continue;
    }
    const node = getNode(tree, step.id);
    placed.set(
      node.id,
      buildPlace(node, node.parent_id === null ? undefined : placed.get(node.parent_id), next++),
    );
    stack.push({ id: node.id, leaving: true });
    for (const child of findChildIds(tree, node.id).toReversed()) stack.push({ id: child, leaving: false });
  }
  return [...placed.values()];
}

function buildPlace(node: TaxonNode, parent: TaxonPlace | undefined, lft: number): TaxonPlace {
  const { id, parent_id, name, segment } = node;
  const position =
    parent === undefined
      ? { pretty_name: name, permalink: segment, depth: 0 }
      : {
          pretty_name: `${parent.pretty_name}${BETWEEN_NAMES}${name}`,
          permalink: `${parent.permalink}/${segment}`,
          depth: parent.depth + 1,
        };
  return { id, parent_id, name, ...position, lft, rgt: lft };
}

/** Returns the places of `after` that are new or differ from `before`. */
export function findChangedPlaces(before: readonly TaxonPlace[], after: readonly TaxonPlace[]): TaxonPlace[] {
  const known = new Map(before.map((place) => [place.id, place]));
  return after.filter((place) => {
    const old = known.get(place.id);
    return old === undefined || PLACE_FIELDS.some((field) => old[field] !== place[field]);
  });
}

/** What the place of a taxon consists of, besides its id. */
export const PLACE_FIELDS = [
  'parent_id',
  'name',
  'pretty_name',
  'permalink',
  'lft',
  'rgt',
  'depth',
] as const satisfies (keyof TaxonPlace)[];

/** Creates a tree of one taxon, whose permalink differs from all of `taken`. */
export function createTree(root: { id: number; name: string }, taken: ReadonlySet<string>): TaxonTree {
  const segment = findFreeSegment(toSlug(root.name), taken);
  return { nodes: new Map([[root.id, { ...root, parent_id: null, segment }]]), children: new Map() };
}

/**
 * Adds a taxon below `parent_id`, which must be in the tree, at `index` (0-based, clamped to the ends; null means
 * last). Its segment is built from the last part of `permalink`, or else from the name, with -2, -3 … if it is taken.
 */
export function addTaxon(
  tree: TaxonTree,
  taxon: { id: number; parent_id: number; name: string; permalink: string | null },
  index: number | null,
): TaxonTree {
  const { id, parent_id, name } = taxon;
  const segment = findFreeSegment(
    buildSegment(taxon.permalink, name),
    findSegmentsUnder(tree, parent_id, id),
  );
  return {
    nodes: replaceNode(tree, { id, parent_id, name, segment }),
    children: replaceChildren(tree, parent_id, insertAt(findChildIds(tree, parent_id), id, index)),
  };
}

/**
 * Returns whether the taxon can move below `parentId`, which must be in the tree and outside the subtree of the taxon.
 */
export function canMoveUnder(tree: TaxonTree, id: number, parentId: number): boolean {
  for (let at: number | null = parentId; at !== null;) {
    const node = tree.nodes.get(at);
    if (node === undefined || at === id) return false;
    at = node.parent_id;
  }
  return true;
}

/**
 * Moves a taxon with its descendants to `index` (0-based among its new siblings, clamped to the ends) of a parent that
 * `canMoveUnder` allows. Index null means last, or no move if the parent stays the same.
 */
export function moveTaxon(
  tree: TaxonTree,
  id: number,
  to: { parent_id: number; index: number | null },
): TaxonTree {
  const node = getNode(tree, id);
  if (node.parent_id === to.parent_id && to.index === null) return tree;
  const rest = detach(tree, node);
  const segment = findFreeSegment(node.segment, findSegmentsUnder(rest, to.parent_id, id));
  return {
    nodes: replaceNode(tree, { ...node, parent_id: to.parent_id, segment }),
    children: replaceChildren(rest, to.parent_id, insertAt(findChildIds(rest, to.parent_id), id, to.index)),
  };
}

/** Returns the position of a taxon among its siblings, from 0. */
export function findPosition(tree: TaxonTree, id: number): number {
  const { parent_id } = getNode(tree, id);
  return parent_id === null ? 0 : findChildIds(tree, parent_id).indexOf(id);
}

/** Renames a taxon. Its permalink does not change. */
export function renameTaxon(tree: TaxonTree, id: number, name: string): TaxonTree {
  return { ...tree, nodes: replaceNode(tree, { ...getNode(tree, id), name }) };
}

/**
 * Replaces the permalink of a taxon. Only the last part of `permalink` is used; a blank one is built from the name.
 * `takenRoots` holds the permalinks of the roots of other trees and matters to a root only.
 */
export function replacePermalink(
  tree: TaxonTree,
  id: number,
  permalink: string | null,
  takenRoots: ReadonlySet<string>,
): TaxonTree {
  const node = getNode(tree, id);
  const taken = node.parent_id === null ? takenRoots : findSegmentsUnder(tree, node.parent_id, id);
  const segment = findFreeSegment(buildSegment(permalink, node.name), taken);
  return { ...tree, nodes: replaceNode(tree, { ...node, segment }) };
}

/** Removes a taxon with its descendants. */
export function removeSubtree(tree: TaxonTree, id: number): TaxonTree {
  const rest = detach(tree, getNode(tree, id));
  const nodes = new Map(rest.nodes);
  const children = new Map(rest.children);
  const stack = [id];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    stack.push(...findChildIds(tree, at));
    nodes.delete(at);
    children.delete(at);
  }
  return { nodes, children };
}

/** Limits that keep replies readable by clients and permalinks indexable by PostgreSQL. */
export const MAX_DEPTH = 50;
export const MAX_PERMALINK = 2_000;

/** Returns the errors of places that are too deep or have too long a permalink; null if there are none. */
export function findPlaceErrors(places: readonly TaxonPlace[]): FieldErrors | null {
  if (places.some((place) => place.depth > MAX_DEPTH)) {
    return { parent_id: [`is too deep (maximum is ${MAX_DEPTH} levels)`] };
  }
  if (places.some((place) => place.permalink.length > MAX_PERMALINK)) {
    return { permalink: [`is too long (maximum is ${MAX_PERMALINK} characters)`] };
  }
  return null;
}

/** Removes the taxon from the children of its parent. */
function detach(tree: TaxonTree, node: TaxonNode): TaxonTree {
  if (node.parent_id === null) return tree;
  const others = findChildIds(tree, node.parent_id).filter((sibling) => sibling !== node.id);
  return { ...tree, children: replaceChildren(tree, node.parent_id, others) };
}

function findRootIds(tree: TaxonTree): number[] {
  return [...tree.nodes.values()].filter((node) => node.parent_id === null).map((node) => node.id);
}

function getNode(tree: TaxonTree, id: number): TaxonNode {
  const node = tree.nodes.get(id);
  if (node === undefined) throw new Error(`taxon ${id} is not in the tree`);
  return node;
}

function findChildIds(tree: TaxonTree, id: number): readonly number[] {
  return tree.children.get(id) ?? [];
}

function replaceNode(tree: TaxonTree, node: TaxonNode): TaxonTree['nodes'] {
  return new Map(tree.nodes).set(node.id, node);
}

function replaceChildren(tree: TaxonTree, parentId: number, ids: readonly number[]): TaxonTree['children'] {
  return new Map(tree.children).set(parentId, ids);
}

function insertAt(siblings: readonly number[], id: number, index: number | null): number[] {
  const at = Math.max(0, Math.min(index ?? siblings.length, siblings.length));
  return siblings.toSpliced(at, 0, id);
}

function findSegmentsUnder(tree: TaxonTree, parentId: number, except: number): Set<string> {
  const siblings = findChildIds(tree, parentId).filter((id) => id !== except);
  return new Set(siblings.map((id) => getNode(tree, id).segment));
}

function buildSegment(permalink: string | null, name: string): string {
  return toSlug(parseLastSegment(permalink ?? '')) || toSlug(name);
}

function parseLastSegment(permalink: string): string {
  return permalink.slice(permalink.lastIndexOf('/') + 1);
}

/** Returns `wanted`, or the first of `wanted-2`, `wanted-3` … that is not taken. A blank segment becomes `taxon`. */
function findFreeSegment(wanted: string, taken: ReadonlySet<string>): string {
  const base = wanted === '' ? 'taxon' : wanted;
  if (!taken.has(base)) return base;
  for (let n = 2; ; n++) {
    const suffix = `-${n}`;
    const candidate = `${base.slice(0, MAX_SEGMENT - suffix.length)}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}
