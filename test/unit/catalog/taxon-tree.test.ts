import fc from 'fast-check';
import {
  addTaxon,
  canMoveUnder,
  findChangedPlaces,
  MAX_DEPTH,
  MAX_PERMALINK,
  moveTaxon,
  findPlaceErrors,
  calculatePlaces,
  createTree,
  readTree,
  replacePermalink,
  removeSubtree,
  renameTaxon,
  type TaxonPlace,
  type TaxonTree,
} from '../../../src/catalog/taxon-tree/taxon-tree';

const NONE: ReadonlySet<string> = new Set();

/** Categories (1) with Bags (2: Totes 4, Clutches 5) and Mugs (3). */
function categories(): TaxonTree {
  let tree = createTree({ id: 1, name: 'Categories' }, NONE);
  tree = add(tree, 2, 1, 'Bags');
  tree = add(tree, 3, 1, 'Mugs');
  tree = add(tree, 4, 2, 'Totes');
  return add(tree, 5, 2, 'Clutches');
}

function add(tree: TaxonTree, id: number, parent_id: number, name: string, index: number | null = null) {
  return addTaxon(tree, { id, parent_id, name, permalink: null }, index);
}

function place(tree: TaxonTree, id: number): TaxonPlace {
  const found = calculatePlaces(tree).find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no place for ${id}`);
  return found;
}

/** Returns the ids depth first, each indented by its depth. */
function outline(tree: TaxonTree): string[] {
  return calculatePlaces(tree)
    .toSorted((a, b) => a.lft - b.lft)
    .map(({ id, depth }) => `${'.'.repeat(depth)}${id}`);
}

describe('places', () => {
  test('number the tree depth first, with names and permalinks from the root', () => {
    expect(calculatePlaces(categories())).toEqual([
      {
        id: 1,
        parent_id: null,
        name: 'Categories',
        pretty_name: 'Categories',
        permalink: 'categories',
        lft: 1,
        rgt: 10,
        depth: 0,
      },
      {
        id: 2,
        parent_id: 1,
        name: 'Bags',
        pretty_name: 'Categories -> Bags',
        permalink: 'categories/bags',
        lft: 2,
        rgt: 7,
        depth: 1,
      },
      {
        id: 4,
        parent_id: 2,
        name: 'Totes',
        pretty_name: 'Categories -> Bags -> Totes',
        permalink: 'categories/bags/totes',
        lft: 3,
        rgt: 4,
        depth: 2,
      },
      {
        id: 5,
        parent_id: 2,
        name: 'Clutches',
        pretty_name: 'Categories -> Bags -> Clutches',
        permalink: 'categories/bags/clutches',
        lft: 5,
        rgt: 6,
        depth: 2,
      },
      {
        id: 3,
        parent_id: 1,
        name: 'Mugs',
        pretty_name: 'Categories -> Mugs',
        permalink: 'categories/mugs',
        lft: 8,
        rgt: 9,
        depth: 1,
      },
    ]);
  });

  test('can be read back as the same tree', () => {
    const places = calculatePlaces(categories());
    expect(calculatePlaces(readTree(places.toReversed()))).toEqual(places);
  });

  test('that did not change are not written', () => {
    const before = calculatePlaces(categories());
    expect(findChangedPlaces(before, calculatePlaces(categories()))).toEqual([]);
    const moved = calculatePlaces(moveTaxon(categories(), 4, { parent_id: 2, index: 1 }));
    expect(findChangedPlaces(before, moved).map(({ id }) => id)).toEqual([5, 4]);
  });

  test('a chain of 20,000 does not exhaust the stack', () => {
    const chain = Array.from({ length: 20_000 }, (_, n) => ({
      ...place(categories(), 1),
      id: n + 1,
      parent_id: n === 0 ? null : n,
      name: 'x',
      permalink: 'x',
      lft: n + 1,
    }));
    const tree = readTree(chain);
    expect(calculatePlaces(tree).at(-1)).toMatchObject({ lft: 20_000, rgt: 20_001, depth: 19_999 });
    expect(canMoveUnder(tree, 2, 20_000)).toBe(false);
    expect(removeSubtree(tree, 2).nodes.size).toBe(1);
  });
});

describe('permalinks', () => {
  test('a taken name gets -2, then -3; a free one gets no suffix', () => {
    let tree = add(categories(), 6, 1, 'Bags');
    tree = add(tree, 7, 1, 'bags!');
    tree = add(tree, 8, 3, 'Bags');
    expect([6, 7, 8].map((id) => place(tree, id).permalink)).toEqual([
      'categories/bags-2',
      'categories/bags-3',
      'categories/mugs/bags',
    ]);
  });

  test.each([
    ['Größe & Öl', 'categories/grosse-ol'],
    ["Men's  50% / Sale", 'categories/men-s-50-sale'],
    ['日本', 'categories/taxon'],
    ['***', 'categories/taxon'],
  ])('%s becomes %s', (name, permalink) => {
    expect(place(add(categories(), 6, 1, name), 6).permalink).toBe(permalink);
  });

  test('only the last part of a given permalink is used', () => {
    const tree = addTaxon(
      categories(),
      { id: 6, parent_id: 3, name: 'Cups', permalink: '/else/Tea Cups' },
      null,
    );
    expect(place(tree, 6).permalink).toBe('categories/mugs/tea-cups');
  });

  test('a new name does not change them, a new permalink changes the whole subtree', () => {
    const renamed = renameTaxon(categories(), 2, 'Luggage');
    expect(place(renamed, 2)).toMatchObject({ name: 'Luggage', permalink: 'categories/bags' });
    expect(place(renamed, 4).pretty_name).toBe('Categories -> Luggage -> Totes');

    const relinked = replacePermalink(renamed, 2, 'luggage', NONE);
    expect(place(relinked, 4).permalink).toBe('categories/luggage/totes');
    expect(place(replacePermalink(relinked, 2, 'luggage', NONE), 2).permalink).toBe('categories/luggage');
    expect(place(replacePermalink(relinked, 2, 'mugs', NONE), 2).permalink).toBe('categories/mugs-2');
    expect(place(replacePermalink(relinked, 2, '', NONE), 2).permalink).toBe('categories/luggage');
  });

  test('of roots are unique', () => {
    expect(place(createTree({ id: 1, name: 'Brands' }, new Set(['brands', 'brands-2'])), 1).permalink).toBe(
      'brands-3',
    );
    expect(place(replacePermalink(categories(), 1, 'brands', new Set(['brands'])), 5).permalink).toBe(
      'brands-2/bags/clutches',
    );
  });

  test('a suffix still fits into 255 characters', () => {
    const long = 'a'.repeat(255);
    const tree = add(add(categories(), 6, 1, long), 7, 1, long);
    expect(place(tree, 7).permalink).toBe(`categories/${'a'.repeat(253)}-2`);
  });
});

describe('moves', () => {
  test.each([
    [4, { parent_id: 3, index: 0 }, ['1', '.2', '..5', '.3', '..4']],
    [2, { parent_id: 3, index: null }, ['1', '.3', '..2', '...4', '...5']],
    [2, { parent_id: 1, index: 1 }, ['1', '.3', '.2', '..4', '..5']],
    [3, { parent_id: 1, index: 0 }, ['1', '.3', '.2', '..4', '..5']],
    [3, { parent_id: 1, index: -7 }, ['1', '.3', '.2', '..4', '..5']],
    [2, { parent_id: 1, index: 99 }, ['1', '.3', '.2', '..4', '..5']],
    [2, { parent_id: 1, index: null }, ['1', '.2', '..4', '..5', '.3']],
    [4, { parent_id: 1, index: 1 }, ['1', '.2', '..5', '.4', '.3']],
  ])('%d to %j', (id, to, expected) => {
    expect(outline(moveTaxon(categories(), id, to))).toEqual(expected);
  });

  test('change the permalinks of descendants, and get a suffix if taken', () => {
    const moved = moveTaxon(add(categories(), 6, 3, 'Bags'), 2, { parent_id: 3, index: 0 });
    expect(place(moved, 5)).toMatchObject({
      permalink: 'categories/mugs/bags-2/clutches',
      pretty_name: 'Categories -> Mugs -> Bags -> Clutches',
    });
    expect(place(moved, 6).permalink).toBe('categories/mugs/bags');
  });

  test.each([
    [2, 2, false],
    [2, 4, false],
    [2, 99, false],
    [1, 2, false],
    [2, 3, true],
    [4, 1, true],
  ])('%d under %d: %s', (id, parent, allowed) => {
    expect(canMoveUnder(categories(), id, parent)).toBe(allowed);
  });
});

test('removing a taxon removes its subtree and closes the gap', () => {
  const left = removeSubtree(categories(), 2);
  expect(calculatePlaces(left).map(({ id, lft, rgt }) => [id, lft, rgt])).toEqual([
    [1, 1, 4],
    [3, 2, 3],
  ]);
});

describe('limits', () => {
  const ordinary = place(categories(), 4);

  test('an ordinary tree is valid', () => {
    expect(
      findPlaceErrors([{ ...ordinary, depth: MAX_DEPTH, permalink: 'a'.repeat(MAX_PERMALINK) }]),
    ).toBeNull();
  });

  test('a tree that is too deep and a permalink that is too long are errors', () => {
    expect(findPlaceErrors([ordinary, { ...ordinary, depth: MAX_DEPTH + 1 }])).toEqual({
      parent_id: ['is too deep (maximum is 50 levels)'],
    });
    expect(findPlaceErrors([{ ...ordinary, permalink: 'a'.repeat(MAX_PERMALINK + 1) }])).toEqual({
      permalink: ['is too long (maximum is 2000 characters)'],
    });
  });
});

type Step =
  | { kind: 'add'; under: number; name: string; index: number | null }
  | { kind: 'move'; which: number; under: number; index: number | null }
  | { kind: 'rename' | 'relink'; which: number; name: string }
  | { kind: 'remove'; which: number };

const name = fc.constantFrom('Bags', 'bags', 'Mugs', 'Ünï', '日本', 'a/b');
const index = fc.option(fc.integer({ min: -2, max: 6 }), { nil: null });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), under: fc.nat(), name, index }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('move' as const), which: fc.nat(), under: fc.nat(), index }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('rename' as const, 'relink' as const),
      which: fc.nat(),
      name,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }) },
);

/** Applies a step and reads the tree back from its rows, as between requests. Numbers select from the existing ids. */
function take(tree: TaxonTree, one: Step, newId: number): TaxonTree {
  const ids = [...tree.nodes.keys()];
  const pick = (n: number): number => ids[n % ids.length] ?? 1;
  switch (one.kind) {
    case 'add':
      return add(tree, newId, pick(one.under), one.name, one.index);
    case 'move': {
      const [id, parent_id] = [pick(one.which), pick(one.under)];
      return canMoveUnder(tree, id, parent_id) ? moveTaxon(tree, id, { parent_id, index: one.index }) : tree;
    }
    case 'rename':
      return renameTaxon(tree, pick(one.which), one.name);
    case 'relink':
      return replacePermalink(tree, pick(one.which), one.name, NONE);
    case 'remove':
      return pick(one.which) === 1 ? tree : removeSubtree(tree, pick(one.which));
  }
}

function grow(steps: readonly Step[]): TaxonTree {
  return steps.reduce(
    (tree, one, n) => readTree(calculatePlaces(take(tree, one, n + 2))),
    createTree({ id: 1, name: 'Root' }, NONE),
  );
}

describe('after any changes of a tree', () => {
  const anyTree = fc.array(step, { maxLength: 40 }).map(grow);

  test('its ranges are nested and without gaps', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const places = calculatePlaces(tree);
        const byId = new Map(places.map((one) => [one.id, one]));
        const numbers = places.flatMap(({ lft, rgt }) => [lft, rgt]).sort((a, b) => a - b);
        expect(numbers).toEqual(numbers.map((_, n) => n + 1));
        for (const inner of places) {
          const parent = inner.parent_id === null ? undefined : byId.get(inner.parent_id);
          expect(parent === undefined).toBe(inner.id === 1);
          for (const outer of places) {
            const within = outer.lft < inner.lft && inner.rgt < outer.rgt;
            expect(within).toBe(isAncestor(byId, outer.id, inner));
          }
        }
      }),
    );
  });

  test('every taxon occurs once, is reachable from the root, and has a unique permalink', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const places = calculatePlaces(tree);
        expect(places.map(({ id }) => id).sort()).toEqual([...tree.nodes.keys()].sort());
        expect(new Set(places.map(({ permalink }) => permalink)).size).toBe(places.length);
      }),
    );
  });

  test('a move keeps the order of the other taxons', () => {
    fc.assert(
      fc.property(anyTree, fc.nat(), fc.nat(), index, (tree, which, under, at) => {
        const moved = take(tree, { kind: 'move', which, under, index: at }, 0);
        const ids = [...tree.nodes.keys()];
        const id = ids[which % ids.length];
        for (const parent of ids) {
          const others = (from: TaxonTree) =>
            (from.children.get(parent) ?? []).filter((child) => child !== id);
          expect(others(moved)).toEqual(others(tree));
        }
      }),
    );
  });
});

function isAncestor(byId: ReadonlyMap<number, TaxonPlace>, ancestor: number, of: TaxonPlace): boolean {
  for (let at = of.parent_id; at !== null; at = byId.get(at)?.parent_id ?? null) {
    if (at === ancestor) return true;
  }
  return false;
}
