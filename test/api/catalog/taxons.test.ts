import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { countQueries } from '../../support/queries';
import { aTaxon, aTaxonomy, type TaxonReply } from '../../support/taxons.factory';
import { unique } from '../../support/unique';

/** Creates a taxonomy with Bags (Totes, Clutches) and Mugs below its root. */
async function aTree() {
  const taxonomy = await aTaxonomy();
  const bags = await aTaxon(taxonomy, { name: 'Bags' });
  const mugs = await aTaxon(taxonomy, { name: 'Mugs' });
  const totes = await aTaxon(taxonomy, { name: 'Totes', parent_id: bags.id });
  const clutches = await aTaxon(taxonomy, { name: 'Clutches', parent_id: bags.id });
  const path = `/taxonomies/${taxonomy.id}/taxons`;
  return { taxonomy, root: taxonomy.root, bags, mugs, totes, clutches, path };
}

/** Lists the whole tree as names and permalinks below the root, read through the API. */
async function listOutline(taxonomy: { id: number; root: TaxonReply }): Promise<string[]> {
  const { body } = await api().get(`/taxonomies/${taxonomy.id}?set=nested`);
  const walk = (taxon: TaxonReply): string[] => [
    `${taxon.pretty_name} | ${taxon.permalink}`.replaceAll(taxonomy.root.permalink, 'root'),
    ...(taxon.taxons ?? []).flatMap(walk),
  ];
  return walk(body.root).map((line) => line.replace(taxonomy.root.name, 'Root'));
}

describe('creating taxons', () => {
  test('below the root, with a permalink from the name', async () => {
    const taxonomy = await aTaxonomy();
    const reply = await api(await anAdmin()).post(`/taxonomies/${taxonomy.id}/taxons?taxon[name]=Bags`);
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.any(Number),
      name: 'Bags',
      pretty_name: `${taxonomy.name} -> Bags`,
      permalink: `${taxonomy.root.permalink}/bags`,
      parent_id: taxonomy.root.id,
      taxonomy_id: taxonomy.id,
      meta_title: null,
      meta_description: null,
      taxons: [],
    });
    expect((await api().get(`/taxonomies/${taxonomy.id}/taxons/${reply.body.id}`)).body).toEqual(reply.body);
  });

  test('below another parent, at an index, with texts and an explicit permalink', async () => {
    const { taxonomy, bags, path } = await aTree();
    const reply = await api(await anAdmin()).post(path, {
      taxon: {
        name: 'New',
        parent_id: String(bags.id),
        child_index: '1',
        permalink: 'this/is ignored/Brand New',
        meta_title: 'Title',
        meta_description: 'Text',
        description: 'Long text',
      },
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      permalink: `${bags.permalink}/brand-new`,
      meta_title: 'Title',
      meta_description: 'Text',
    });
    expect(await listOutline(taxonomy)).toEqual([
      'Root | root',
      'Root -> Bags | root/bags',
      'Root -> Bags -> Totes | root/bags/totes',
      'Root -> Bags -> New | root/bags/brand-new',
      'Root -> Bags -> Clutches | root/bags/clutches',
      'Root -> Mugs | root/mugs',
    ]);
  });

  test('a name that exists gets the next free permalink', async () => {
    const taxonomy = await aTaxonomy();
    const made = [];
    for (let n = 0; n < 3; n++) made.push(await aTaxon(taxonomy, { name: 'Bags' }));
    expect(made.map(({ permalink }) => permalink.replace(`${taxonomy.root.permalink}/`, ''))).toEqual([
      'bags',
      'bags-2',
      'bags-3',
    ]);
  });

  test('an unknown taxonomy returns 404', async () => {
    const admin = api(await anAdmin());
    for (const body of [{ taxon: { name: 'x' } }, {}]) {
      const reply = await admin.post('/taxonomies/2147483647/taxons', body);
      expect(reply.status).toBe(422);
      expect(reply.body.errors).toEqual({ taxonomy_id: ['Invalid taxonomy id.'] });
    }
    expect((await admin.post('/taxonomies/abc/taxons', { taxon: { name: 'x' } })).status).toBe(404);
  });

  test.each([
    [{}, { name: ["can't be blank"] }],
    [{ taxon: { name: 'x', parent_id: 'abc' } }, { parent_id: ['is invalid'] }],
    [{ taxon: { name: 'x', parent_id: 2147483647 } }, { parent_id: ['is invalid'] }],
    [{ taxon: { name: 'x', child_index: 'first' } }, { child_index: ['is not a number'] }],
    [{ taxon: { name: 'half \ud83d' } }, { name: ['is invalid'] }],
    [{ taxon: { name: 'x'.repeat(256) } }, { name: ['is too long (maximum is 255 characters)'] }],
  ])('%j returns 422 and changes nothing', async (body, errors) => {
    const { taxonomy, path } = await aTree();
    const before = await listOutline(taxonomy);
    const reply = await api(await anAdmin()).post(path, body);
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect(await listOutline(taxonomy)).toEqual(before);
  });

  test('a parent in another taxonomy returns 422', async () => {
    const [here, there] = [await aTree(), await aTree()];
    const reply = await api(await anAdmin()).post(here.path, {
      taxon: { name: 'x', parent_id: there.bags.id },
    });
    expect([reply.status, reply.body.errors]).toEqual([422, { parent_id: ['is invalid'] }]);
  });

  test('the depth is limited to 50 levels', async () => {
    const admin = api(await anAdmin());
    const taxonomy = await aTaxonomy();
    let parent = taxonomy.root;
    for (let level = 1; level <= 50; level++) {
      parent = await aTaxon(taxonomy, { name: 'x', parent_id: parent.id });
    }
    const reply = await admin.post(`/taxonomies/${taxonomy.id}/taxons`, {
      taxon: { name: 'x', parent_id: parent.id },
    });
    expect([reply.status, reply.body.errors]).toEqual([
      422,
      { parent_id: ['is too deep (maximum is 50 levels)'] },
    ]);
    expect((await api().get(`/taxonomies/${taxonomy.id}?set=nested`)).text).toContain(
      JSON.stringify(parent.permalink),
    );
  });

  test('permalinks are limited to 2000 characters', async () => {
    const admin = api(await anAdmin());
    const taxonomy = await aTaxonomy();
    let parent = taxonomy.root;
    for (let level = 1; level <= 7; level++) {
      parent = await aTaxon(taxonomy, { name: 'x'.repeat(255), parent_id: parent.id });
    }
    const reply = await admin.post(`/taxonomies/${taxonomy.id}/taxons`, {
      taxon: { name: 'x'.repeat(255), parent_id: parent.id },
    });
    expect([reply.status, reply.body.errors]).toEqual([
      422,
      { permalink: ['is too long (maximum is 2000 characters)'] },
    ]);
  });
});

describe('updating taxons', () => {
  test('a new parent changes names and permalinks of the whole subtree', async () => {
    const { taxonomy, bags, mugs, path } = await aTree();
    const reply = await api(await anAdmin()).put(
      `${path}/${bags.id}?taxon[parent_id]=${mugs.id}&taxon[child_index]=0`,
    );
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      parent_id: mugs.id,
      permalink: `${mugs.permalink}/bags`,
      taxons: [{ name: 'Totes', permalink: `${mugs.permalink}/bags/totes` }, { name: 'Clutches' }],
    });
    expect(await listOutline(taxonomy)).toEqual([
      'Root | root',
      'Root -> Mugs | root/mugs',
      'Root -> Mugs -> Bags | root/mugs/bags',
      'Root -> Mugs -> Bags -> Totes | root/mugs/bags/totes',
      'Root -> Mugs -> Bags -> Clutches | root/mugs/bags/clutches',
    ]);
  });

  test.each([
    ['itself', 'bags'],
    ['its child', 'totes'],
  ] as const)('moving below %s returns 422', async (_what, under) => {
    const tree = await aTree();
    const before = await listOutline(tree.taxonomy);
    const reply = await api(await anAdmin()).put(`${tree.path}/${tree.bags.id}`, {
      taxon: { name: 'Renamed', parent_id: tree[under].id },
    });
    expect([reply.status, reply.body.errors]).toEqual([422, { parent_id: ['is invalid'] }]);
    expect(await listOutline(tree.taxonomy)).toEqual(before);
  });

  test('moving to another taxonomy or to no parent returns 422', async () => {
    const admin = api(await anAdmin());
    const [here, there] = [await aTree(), await aTree()];
    for (const parent_id of [there.bags.id, null, '']) {
      const reply = await admin.put(`${here.path}/${here.bags.id}`, { taxon: { parent_id } });
      expect([reply.status, reply.body.errors]).toEqual([422, { parent_id: ['is invalid'] }]);
    }
  });

  test.each([
    ['child_index', 1],
    ['position', 1],
    ['child_index', 99],
  ])('%s %d without a parent changes the position', async (field, index) => {
    const { taxonomy, bags, path } = await aTree();
    const reply = await api(await anAdmin()).patch(`${path}/${bags.id}`, { taxon: { [field]: index } });
    expect(reply.body).toMatchObject({ parent_id: taxonomy.root.id, permalink: bags.permalink });
    const { body } = await api().get(`${path}?without_children=true`);
    expect(body.taxons.map((taxon: TaxonReply) => taxon.name)).toEqual(['Mugs', 'Bags']);
  });

  test('a new name keeps the permalink; an explicit permalink changes those of the subtree', async () => {
    const admin = api(await anAdmin());
    const { taxonomy, bags, path } = await aTree();
    const renamed = await admin.put(`${path}/${bags.id}?taxon[name]=Luggage`);
    expect(renamed.body).toMatchObject({
      name: 'Luggage',
      pretty_name: `${taxonomy.name} -> Luggage`,
      permalink: bags.permalink,
      taxons: [{ pretty_name: `${taxonomy.name} -> Luggage -> Totes` }, {}],
    });
    await admin.put(`${path}/${bags.id}`, { taxon: { permalink: 'luggage' } });
    expect(await listOutline(taxonomy)).toEqual([
      'Root | root',
      'Root -> Luggage | root/luggage',
      'Root -> Luggage -> Totes | root/luggage/totes',
      'Root -> Luggage -> Clutches | root/luggage/clutches',
      'Root -> Mugs | root/mugs',
    ]);
    const taken = await admin.put(`${path}/${bags.id}`, { taxon: { permalink: 'mugs' } });
    expect(taken.body.permalink).toBe(`${taxonomy.root.permalink}/mugs-2`);
  });

  test('sending a taxon unchanged changes nothing', async () => {
    const admin = api(await anAdmin());
    const { taxonomy, bags, path } = await aTree();
    for (const id of [taxonomy.root.id, bags.id]) {
      const { body } = await admin.get(`${path}/${id}`);
      const reply = await admin.put(`${path}/${id}`, { taxon: body });
      expect([reply.status, reply.body]).toEqual([200, body]);
    }
  });

  test('the root cannot be moved, but its name and permalink can be changed', async () => {
    const admin = api(await anAdmin());
    const { taxonomy, root, bags, path } = await aTree();
    for (const taxon of [{ parent_id: bags.id }, { child_index: 1 }]) {
      const reply = await admin.put(`${path}/${root.id}`, { taxon });
      expect([reply.status, reply.body.errors]).toEqual([422, { base: ['The root taxon cannot be moved'] }]);
    }
    const other = await aTaxonomy();
    const reply = await admin.put(`${path}/${root.id}`, {
      taxon: { name: 'Other', permalink: other.root.permalink },
    });
    expect(reply.body).toMatchObject({
      name: 'Other',
      permalink: `${other.root.permalink}-2`,
      taxons: [{ permalink: `${other.root.permalink}-2/bags`, pretty_name: 'Other -> Bags' }, {}],
    });
    expect((await admin.get(`/taxonomies/${taxonomy.id}`)).body.name).toBe(taxonomy.name);
  });

  test('texts are set, cleared by null, and kept if missing', async () => {
    const admin = api(await anAdmin());
    const { totes, path } = await aTree();
    await admin.put(`${path}/${totes.id}`, { taxon: { meta_title: 'T', meta_description: 'D' } });
    const reply = await admin.put(`${path}/${totes.id}`, { taxon: { meta_title: null } });
    expect(reply.body).toEqual({ ...totes, meta_title: null, meta_description: 'D' });
  });

  test('404 comes before 422, and a taxon is found only in its own taxonomy', async () => {
    const admin = api(await anAdmin());
    const [here, there] = [await aTree(), await aTree()];
    const blank = { taxon: { name: '' } };
    expect((await admin.put(`${here.path}/${here.bags.id}`, blank)).status).toBe(422);
    for (const path of [
      `${here.path}/2147483647`,
      `${here.path}/${there.bags.id}`,
      `/taxonomies/2147483647/taxons/${here.bags.id}`,
    ]) {
      expect((await admin.put(path, blank)).status).toBe(404);
      expect((await admin.put(path, { taxon: { name: 'x' } })).status).toBe(404);
      expect((await admin.get(path)).status).toBe(404);
      expect((await admin.get(`${path}/jstree`)).status).toBe(404);
      expect((await admin.delete(path)).status).toBe(404);
    }
  });

  test('only admins may write', async () => {
    const { taxonomy, bags, path } = await aTree();
    const before = await listOutline(taxonomy);
    for (const caller of [{}, await aCustomer()]) {
      expect((await api(caller).post(path, { taxon: { name: 'x' } })).status).toBe(401);
      expect((await api(caller).put(`${path}/${bags.id}`, { taxon: { name: 'x' } })).status).toBe(401);
      expect((await api(caller).delete(`${path}/${bags.id}`)).status).toBe(401);
    }
    expect(await listOutline(taxonomy)).toEqual(before);
  });
});

describe('deleting taxons', () => {
  test('deletes the whole subtree', async () => {
    const admin = api(await anAdmin());
    const { taxonomy, bags, totes, path } = await aTree();
    const reply = await admin.delete(`${path}/${bags.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await admin.get(`${path}/${totes.id}`)).status).toBe(404);
    expect(await listOutline(taxonomy)).toEqual(['Root | root', 'Root -> Mugs | root/mugs']);
    expect((await admin.delete(`${path}/${bags.id}`)).status).toBe(404);
  });

  test('the root is deleted only with its taxonomy', async () => {
    const { root, path } = await aTree();
    const reply = await api(await anAdmin()).delete(`${path}/${root.id}`);
    expect([reply.status, reply.body.errors]).toEqual([422, { base: ['The root taxon cannot be deleted'] }]);
  });
});

describe('listing taxons', () => {
  test('the list of a taxonomy contains the children of the root with their subtrees', async () => {
    const { bags, mugs, totes, clutches, path } = await aTree();
    const reply = await api().get(`${path}.json`);
    expect(reply.body).toEqual({
      count: 2,
      total_count: 2,
      current_page: 1,
      per_page: 25,
      pages: 1,
      taxons: [{ ...bags, taxons: [totes, clutches] }, mugs],
    });
    expect((await api().get('/taxonomies/2147483647/taxons')).status).toBe(404);
  });

  test('without_children omits the subtrees', async () => {
    const { path } = await aTree();
    const reply = await api().get(`${path}?without_children=true`);
    expect(reply.body.count).toBe(2);
    for (const taxon of reply.body.taxons) expect(taxon).not.toHaveProperty('taxons');
    expect((await api().get(`${path}?without_children=false`)).body.taxons[0].taxons).toHaveLength(2);
  });

  test('across all taxonomies: in tree order, by page, by ids, by q', async () => {
    const { root, bags, mugs, totes, clutches } = await aTree();
    const mine = `q[taxonomy_name_eq]=${root.name}`;
    const names = (body: { taxons: TaxonReply[] }) => body.taxons.map(({ name }) => name);

    expect(names((await api().get(`/taxons?${mine}`)).body)).toEqual([
      root.name,
      'Bags',
      'Totes',
      'Clutches',
      'Mugs',
    ]);
    expect((await api().get(`/taxons?${mine}&page=2&per_page=2&without_children=1`)).body).toMatchObject({
      count: 2,
      total_count: 5,
      current_page: 2,
      per_page: 2,
      pages: 3,
      taxons: [{ name: 'Totes' }, { name: 'Clutches' }],
    });
    const byIds = await api().get(`/taxons?ids=${mugs.id},${bags.id},2147483647&q[name_eq]=ignored`);
    expect(byIds.body.taxons).toEqual([{ ...bags, taxons: [totes, clutches] }, mugs]);
    expect(names((await api().get(`/taxons?${mine}&q[name_cont]=OTE`)).body)).toEqual(['Totes']);
    expect(names((await api().get(`/taxons?${mine}&q[parent_id_eq]=${bags.id}`)).body)).toEqual([
      'Totes',
      'Clutches',
    ]);
    expect(names((await api().get(`/taxons?${mine}&q[position_eq]=1`)).body)).toEqual(['Clutches', 'Mugs']);
    expect(names((await api().get(`/taxons?${mine}&q[s]=name desc`)).body).slice(-2)).toEqual([
      'Clutches',
      'Bags',
    ]);
  });

  test('a list takes as many queries for one taxon as for a deep tree', async () => {
    const taxonomy = await aTaxonomy();
    const parent = await aTaxon(taxonomy);
    const path = `/taxonomies/${taxonomy.id}/taxons`;
    const countListQueries = async () => [
      await countQueries(() => api().get(path)),
      await countQueries(() => api().get(`/taxons?q[taxonomy_id_eq]=${taxonomy.id}`)),
    ];
    await api().get(`${path}?per_page=1`); // reads what is kept in memory
    const before = await countListQueries();
    let at = parent;
    for (let level = 0; level < 6; level++) {
      at = await aTaxon(taxonomy, { parent_id: at.id });
      await aTaxon(taxonomy);
    }
    expect(await countListQueries()).toEqual(before);
    expect(Math.max(...before)).toBeLessThanOrEqual(5);
  });

  test('new and jstree', async () => {
    const { taxonomy, root, bags, totes, clutches, path } = await aTree();
    expect((await api().get(`/taxonomies/${taxonomy.id}/taxons/new`)).body).toEqual({
      attributes: [
        'id',
        'name',
        'pretty_name',
        'permalink',
        'parent_id',
        'taxonomy_id',
        'meta_title',
        'meta_description',
      ],
      required_attributes: ['name'],
    });
    expect((await api().get('/taxonomies/2147483647/taxons/new')).status).toBe(404);
    expect((await api().get(`${path}/${bags.id}/jstree`)).body).toEqual(
      [totes, clutches].map(({ id, name }) => ({ data: name, attr: { id, name }, state: 'closed' })),
    );
    expect((await api().get(`${path}/${root.id}/jstree`)).body).toHaveLength(2);
    expect((await api().get(`${path}/${totes.id}/jstree`)).body).toEqual([]);
  });
});

test('concurrent moves, creates and deletes leave a valid tree', async () => {
  const admin = api(await anAdmin());
  const taxonomy = await aTaxonomy();
  const path = `/taxonomies/${taxonomy.id}/taxons`;
  const taxons: TaxonReply[] = [];
  for (let n = 0; n < 6; n++) taxons.push(await aTaxon(taxonomy, { name: unique('t') }));
  const at = (n: number): TaxonReply => taxons[n % taxons.length] ?? taxonomy.root;

  const replies = await Promise.all(
    Array.from({ length: 18 }, (_, n) => {
      if (n % 6 === 5) return admin.post(path, { taxon: { name: 'Same', parent_id: at(n).id } });
      if (n === 7) return admin.delete(`${path}/${at(0).id}`);
      return admin.put(`${path}/${at(n).id}`, { taxon: { parent_id: at(n * 5 + 1).id, child_index: n % 3 } });
    }),
  );

  for (const reply of replies) expect([200, 201, 204, 404, 422]).toContain(reply.status);
  const rows = await testDb()('taxons').where({ taxonomy_id: taxonomy.id }).orderBy('lft');
  const numbers = rows.flatMap(({ lft, rgt }) => [lft, rgt]).sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, n) => n + 1));
  for (const row of rows) {
    const parent = rows.find((candidate) => candidate.id === row.parent_id);
    const above = rows.filter((candidate) => candidate.lft < row.lft && candidate.rgt > row.rgt);
    expect(above).toHaveLength(row.depth);
    expect(above.at(-1)?.id).toBe(parent?.id);
    if (parent !== undefined) {
      expect(row.permalink.startsWith(`${parent.permalink}/`)).toBe(true);
      expect(row.pretty_name).toBe(`${parent.pretty_name} -> ${row.name}`);
    }
  }
});
