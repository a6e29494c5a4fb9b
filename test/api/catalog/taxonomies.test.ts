import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { aTaxon, aTaxonomy } from '../../support/taxons.factory';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';

describe('taxonomies', () => {
  test('creating one creates a root of the same name', async () => {
    const name = unique('Categories');
    const reply = await api(await anAdmin()).post(`/taxonomies?taxonomy[name]=${name}`);

    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.any(Number),
      name,
      root: {
        id: expect.any(Number),
        name,
        pretty_name: name,
        permalink: name.toLowerCase(),
        parent_id: null,
        taxonomy_id: reply.body.id,
        meta_title: null,
        meta_description: null,
        taxons: [],
      },
    });
    expect((await api().get(`/taxonomies/${reply.body.id}.json`)).body).toEqual(reply.body);
  });

  test('taxonomies with equal names get different root permalinks, also concurrently', async () => {
    const name = unique('Brands');
    const made = await Promise.all([1, 2, 3, 4].map(() => aTaxonomy({ name })));
    const slug = name.toLowerCase();
    expect(made.map((taxonomy) => taxonomy.root.permalink).sort()).toEqual([
      slug,
      `${slug}-2`,
      `${slug}-3`,
      `${slug}-4`,
    ]);
  });

  test('show returns the children of the root; set=nested returns the whole tree', async () => {
    const taxonomy = await aTaxonomy();
    const bags = await aTaxon(taxonomy, { name: 'Bags' });
    const totes = await aTaxon(taxonomy, { name: 'Totes', parent_id: bags.id });

    const shown = await api().get(`/taxonomies/${taxonomy.id}`);
    expect(shown.body.root.taxons).toEqual([{ ...bags, taxons: undefined }]);
    expect(shown.body.root.taxons[0]).not.toHaveProperty('taxons');

    const nested = await api().get(`/taxonomies/${taxonomy.id}?set=nested`);
    expect(nested.body.root.taxons).toEqual([{ ...bags, taxons: [totes] }]);
  });

  test('the list is an envelope, by name, searchable by name and root', async () => {
    const prefix = unique('List');
    const b = await aTaxonomy({ name: `${prefix} b` });
    const a = await aTaxonomy({ name: `${prefix} a` });
    await aTaxon(a, { name: 'Child' });

    const reply = await api().get(`/taxonomies?q[name_cont]=${prefix}&per_page=1`);
    expect(reply.body).toMatchObject({
      count: 1,
      total_count: 2,
      current_page: 1,
      pages: 2,
      taxonomies: [{ id: a.id, name: `${prefix} a`, root: { taxons: [{ name: 'Child' }] } }],
    });
    expect(reply.body.taxonomies[0].root.taxons[0]).not.toHaveProperty('taxons');

    const byRoot = await api().get(`/taxonomies?q[root_permalink_eq]=${b.root.permalink}&set=nested`);
    expect(byRoot.body.taxonomies).toEqual([b]);
    expect(byRoot.headers['x-ignored-conditions']).toBeUndefined();
  });

  test('a list takes as many queries for one tree as for many deep ones', async () => {
    const prefix = unique('Cost');
    const first = await aTaxonomy({ name: `${prefix} 1` });
    await aTaxon(first, { parent_id: (await aTaxon(first)).id });
    const list = (set: string) => api().get(`/taxonomies?q[name_cont]=${prefix}&set=${set}`);
    await list('first'); // reads once when products appear next
    const single = [await countQueries(() => list('')), await countQueries(() => list('nested'))];

    for (let n = 2; n <= 4; n++) {
      const taxonomy = await aTaxonomy({ name: `${prefix} ${n}` });
      let parent = taxonomy.root;
      for (let level = 0; level < 4; level++) parent = await aTaxon(taxonomy, { parent_id: parent.id });
    }
    expect([await countQueries(() => list('')), await countQueries(() => list('nested'))]).toEqual(single);
    expect(Math.max(...single)).toBeLessThanOrEqual(5);
    expect((await list('nested')).body.count).toBe(4);
  });

  test('a new name renames the root and all pretty names; permalinks stay', async () => {
    const admin = api(await anAdmin());
    const taxonomy = await aTaxonomy();
    const bags = await aTaxon(taxonomy, { name: 'Bags' });

    const reply = await admin.put(`/taxonomies/${taxonomy.id}?taxonomy[name]=Renamed`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      name: 'Renamed',
      root: {
        name: 'Renamed',
        pretty_name: 'Renamed',
        permalink: taxonomy.root.permalink,
        taxons: [{ id: bags.id, pretty_name: 'Renamed -> Bags', permalink: bags.permalink }],
      },
    });
    expect((await admin.patch(`/taxonomies/${taxonomy.id}`, { taxonomy: {} })).body).toEqual(reply.body);
  });

  test('deleting one deletes its tree', async () => {
    const admin = api(await anAdmin());
    const taxonomy = await aTaxonomy();
    const bags = await aTaxon(taxonomy);
    const reply = await admin.delete(`/taxonomies/${taxonomy.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await admin.get(`/taxonomies/${taxonomy.id}`)).status).toBe(404);
    expect((await admin.get(`/taxons?ids=${taxonomy.root.id},${bags.id}`)).body.total_count).toBe(0);
    expect((await admin.delete(`/taxonomies/${taxonomy.id}`)).status).toBe(404);
  });

  test('new and jstree are not ids', async () => {
    const taxonomy = await aTaxonomy();
    expect((await api().get('/taxonomies/new')).body).toEqual({
      attributes: ['id', 'name'],
      required_attributes: ['name'],
    });
    expect((await api().get(`/taxonomies/${taxonomy.id}/jstree`)).body).toEqual({
      data: taxonomy.name,
      attr: { id: taxonomy.root.id, name: taxonomy.name },
      state: 'closed',
    });
    for (const path of [
      '/taxonomies/2147483647',
      '/taxonomies/2147483647/jstree',
      '/taxonomies/99999999999',
    ]) {
      expect((await api().get(path)).status).toBe(404);
    }
  });

  test.each([[{}], [{ taxonomy: { name: '  ' } }], [{ taxonomy: 'x' }], [{ taxonomy: { name: null } }]])(
    'without a name returns 422 and creates nothing: %j',
    async (body) => {
      const reply = await api(await anAdmin()).post('/taxonomies', body);
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual({
        error: 'Invalid resource. Please fix errors and try again.',
        errors: { name: ["can't be blank"] },
      });
    },
  );

  test('404 comes before 422, and 401 before both', async () => {
    const admin = api(await anAdmin());
    const taxonomy = await aTaxonomy();
    expect((await admin.put(`/taxonomies/${taxonomy.id}`, { taxonomy: { name: '' } })).status).toBe(422);
    expect((await admin.put('/taxonomies/2147483647', { taxonomy: { name: '' } })).status).toBe(404);
    for (const caller of [{}, await aCustomer()]) {
      expect((await api(caller).post('/taxonomies', {})).status).toBe(401);
      expect((await api(caller).put('/taxonomies/2147483647', {})).status).toBe(401);
      expect((await api(caller).delete(`/taxonomies/${taxonomy.id}`)).status).toBe(401);
    }
    expect((await api().get(`/taxonomies/${taxonomy.id}`)).body).toEqual(taxonomy);
  });
});
