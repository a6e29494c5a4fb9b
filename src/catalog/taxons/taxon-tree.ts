import type { FieldErrors } from '../../platform/errors';
import { groupBy } from '../../platform/group-by';
import { toSlug } from '../../platform/slug';

/**
 * The tree of one taxonomy as a value: every function here takes a tree and answers a new one, or what follows from
 * it. Rules: behaviour reference 5.5. Nothing recurses, so a deep tree costs no stack.
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
  /** The last part of the permalink; no two siblings share one, so no two taxons share a permalink. */
  segment: string;
}

/** Where a taxon stands, and everything derived from that. */
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

/** The tree these places describe: siblings in the order of `lft`. */
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
 * Numbers the tree in reading order (lft and rgt from 1, without gaps) and spells out pretty names and permalinks.
 * Parents come before their children.
 */
export function calculatePlaces(tree: TaxonTree): TaxonPlace[] {
  const placed = new Map<number, TaxonPlace>();
  let next = 1;
  // A taxon is met twice: on the way down it gets its lft, and after its children its rgt.
  const agenda: { id: number; leaving: boolean }[] = findRootIds(tree).map((id) => ({ id, leaving: false }));
  for (let step = agenda.pop(); step !== undefined; step = agenda.pop()) {
    const open = placed.get(step.id);
    if (step.leaving && open !== undefined) {
      open.rgt = next++;
      continue;
    }
    const node = getNode(tree, step.id);
    placed.set(
      node.id,
      buildPlace(node, node.parent_id === null ? undefined : placed.get(node.parent_id), next++),
    );
    agenda.push({ id: node.id, leaving: true });
    for (const child of findChildIds(tree, node.id).toReversed()) agenda.push({ id: child, leaving: false });
  }
  return [...placed.values()];
}

function buildPlace(node: TaxonNode, parent: TaxonPlace | undefined, lft: number): TaxonPlace {
  const { id, parent_id, name, segment } = node;
  const derived =
    parent === undefined
      ? { pretty_name: name, permalink: segment, depth: 0 }
      : {
          pretty_name: `${parent.pretty_name}${BETWEEN_NAMES}${name}`,
          permalink: `${parent.permalink}/${segment}`,
          depth: parent.depth + 1,
        };
  return { id, parent_id, name, ...derived, lft, rgt: lft };
}

/** The places of `after` that are not, as they are, among `before`: what has to be written. */
export function findChangedPlaces(before: readonly TaxonPlace[], after: readonly TaxonPlace[]): TaxonPlace[] {
  const known = new Map(before.map((place) => [place.id, place]));
  return after.filter((place) => {
    const old = known.get(place.id);
    return old === undefined || PLACE_FIELDS.some((field) => old[field] !== place[field]);
  });
}

const PLACE_FIELDS = [
  'parent_id',
  'name',
  'pretty_name',
  'permalink',
  'lft',
  'rgt',
  'depth',
] as const satisfies (keyof TaxonPlace)[];

/** A tree of one taxon, whose permalink is none of `taken`. */
export function createTree(root: { id: number; name: string }, taken: ReadonlySet<string>): TaxonTree {
  const segment = findFreeSegment(toSlug(root.name), taken);
  return { nodes: new Map([[root.id, { ...root, parent_id: null, segment }]]), children: new Map() };
}

/**
 * Adds a taxon below `parent_id`, which must be in the tree: at `index` (0-based, clamped to the ends), last when null.
 * `permalink` (only its last part counts) or else the name gives the last segment, with -2, -3 … when it is taken.
 */
export function addTaxon(
  tree: TaxonTree,
  taxon: { id: number; parent_id: number; name: string; permalink: string | null },
  index: number | null,
): TaxonTree {
  const { id, parent_id, name } = taxon;
  const segment = findFreeSegment(buildSegment(taxon.permalink, name), findSegmentsUnder(tree, parent_id, id));
  return {
    nodes: replaceNode(tree, { id, parent_id, name, segment }),
    children: replaceChildren(tree, parent_id, insertAt(findChildIds(tree, parent_id), id, index)),
  };
}

/** Whether the taxon could stand below `parentId`: that is in the tree, and neither the taxon itself nor below it. */
export function canMoveUnder(tree: TaxonTree, id: number, parentId: number): boolean {
  for (let at: number | null = parentId; at !== null;) {
    const node = tree.nodes.get(at);
    if (node === undefined || at === id) return false;
    at = node.parent_id;
  }
  return true;
}

/**
 * Moves a taxon with all below it to `index` (0-based among its new siblings, clamped to the ends) of a parent that
 * `canStandUnder` allows. Index null means last, or just where it is when the parent stays.
 */
export function moveTaxon(
  tree: TaxonTree,
  id: number,
  to: { parent_id: number; index: number | null },
): TaxonTree {
  const node = getNode(tree, id);
  if (node.parent_id === to.parent_id && to.index === null) return tree;
  const left = detach(tree, node);
  const segment = findFreeSegment(node.segment, findSegmentsUnder(left, to.parent_id, id));
  return {
    nodes: replaceNode(tree, { ...node, parent_id: to.parent_id, segment }),
    children: replaceChildren(left, to.parent_id, insertAt(findChildIds(left, to.parent_id), id, to.index)),
  };
}

/** Gives a taxon another name; its permalink stays. */
export function renameTaxon(tree: TaxonTree, id: number, name: string): TaxonTree {
  return { ...tree, nodes: replaceNode(tree, { ...getNode(tree, id), name }) };
}

/**
 * Gives a taxon another permalink: only the last part of `permalink` counts, a blank one is made from the name. The
 * permalinks of other trees' roots are `takenRoots`, which matters to a root only.
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

/** Takes a taxon out, with all below it. */
export function removeSubtree(tree: TaxonTree, id: number): TaxonTree {
  const left = detach(tree, getNode(tree, id));
  const nodes = new Map(left.nodes);
  const children = new Map(left.children);
  const agenda = [id];
  for (let at = agenda.pop(); at !== undefined; at = agenda.pop()) {
    agenda.push(...findChildIds(tree, at));
    nodes.delete(at);
    children.delete(at);
  }
  return { nodes, children };
}

/** Keeps replies and index entries within what clients and PostgreSQL can hold. */
export const MAX_DEPTH = 50;
export const MAX_PERMALINK = 2_000;

/** What is wrong with places that are about to be written: too deep, or too long a permalink. */
export function findPlaceErrors(places: readonly TaxonPlace[]): FieldErrors | null {
  if (places.some((place) => place.depth > MAX_DEPTH)) {
    return { parent_id: [`is too deep (maximum is ${MAX_DEPTH} levels)`] };
  }
  if (places.some((place) => place.permalink.length > MAX_PERMALINK)) {
    return { permalink: [`is too long (maximum is ${MAX_PERMALINK} characters)`] };
  }
  return null;
}

/** The tree in which the taxon is no longer among its parent's children. */
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

/** `wanted`, or the first of `wanted-2`, `wanted-3` … that is not taken. A name without usable letters is a "taxon". */
function findFreeSegment(wanted: string, taken: ReadonlySet<string>): string {
  const base = wanted === '' ? 'taxon' : wanted;
  if (!taken.has(base)) return base;
  for (let n = 2; ; n++) {
    const suffix = `-${n}`;
    const candidate = `${base.slice(0, MAX_SEGMENT - suffix.length)}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}
