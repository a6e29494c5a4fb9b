import { aCustomer, asAdmin, createAsAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { INVALID } from '../../support/error-bodies';
import { aProduct, aVariant } from '../../support/products.factory';
import { aTaxon, aTaxonomy } from '../../support/taxons.factory';
import { unique } from '../../support/unique';

/** Values in place of any wrapper or attribute. */
const ODDITIES: unknown[] = [
  null,
  [],
  {},
  '',
  5,
  -1,
  true,
  'x',
  { toString: 1 },
  [[]],
  [null],
  { 0: { 0: 1 } },

  'a\u0000',
];

describe('input of any shape', () => {
  const fields = [
    ...['name', 'description', 'price', 'available_on', 'discontinue_on', 'slug', 'permalink', 'meta_title'],
    ...['meta_description', 'meta_keywords', 'sku', 'weight', 'height', 'cost_price', 'cost_currency'],
    ...['shipping_category_id', 'shipping_category', 'tax_category_id', 'taxon_ids', 'option_type_ids'],
    ...['option_types', 'variants', 'product_properties_attributes'],
  ];

  test.each(ODDITIES.map((value) => [JSON.stringify(value), value]))(
    '%s in place of any value returns a status below 500',
    async (_text, value) => {
      const caller = await asAdmin();
      const product = await aProduct({ variants: [{}] });
      const paths = [`/products/${product.id}`, `/products/${product.id}/variants/${product.variants[0].id}`];
      const bodies = [
        { product: value, variant: value },
        { product: Object.fromEntries(fields.map((field) => [field, value])) },
        { product: { variants: [{ sku: value, price: value, options: value, option_value_ids: value }] } },
        { product: { variants: { 0: { options: [{ name: value, value }], position: value } } } },
        { variant: { sku: value, price: value, options: value, option_value_ids: value, position: value } },
      ];
      for (const body of bodies) {
        for (const path of paths) expect((await caller.put(path, body)).status).toBeLessThan(500);
        expect((await caller.post(paths[0] + '/variants', body)).status).toBeLessThan(500);
        expect((await caller.post('/products', body)).status).toBeLessThan(500);
      }
      for (const field of fields) {
        const reply = await caller.put(`/products/${product.id}`, { product: { [field]: value } });
        expect([field, reply.status < 500]).toEqual([field, true]);
      }
    },
  );

  test.each([
    ['hexadecimal', (id: number) => `0x${id.toString(16)}`],
    ['in a list of its own', (id: number) => [[id]]],
  ])('an id that is %s is refused in lists of ids', async (_what, write) => {
    const product = await aProduct();
    const taxon = await aTaxon(await aTaxonomy());
    const reply = await (
      await asAdmin()
    ).put(`/products/${product.id}`, { product: { taxon_ids: write(taxon.id) } });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ error: INVALID, errors: { taxon_ids: ['is invalid'] } });
  });

  test('blank entries of lists are skipped, of names and words as of ids', async () => {
    const [taxon, name, user] = [await aTaxon(await aTaxonomy()), unique('size'), await aCustomer()];
    const { body } = await (
      await asAdmin()
    ).put(`/products/${(await aProduct()).id}`, {
      product: { taxon_ids: ['', ' ', taxon.id], option_types: ['', name, ' '] },
    });
    expect(body).toMatchObject({ taxon_ids: [taxon.id], option_types: [{ name }] });
    const role = { name: unique('role'), scopes: ['', 'catalog:read'] };
    expect(await createAsAdmin('/roles', { role })).toMatchObject({ scopes: ['catalog:read'] });
    const admin = await asAdmin();
    for (const roles of [['', role.name], ['']]) {
      const reply = await admin.put(`/users/${user.id}`, { user: { roles } });
      expect([reply.status, reply.body.roles]).toEqual([200, roles.filter((one) => one !== '')]);
    }
    // Without limits a token could do everything.
    const token = await admin.post(`/users/${user.id}/tokens`, { api_token: { name: 'till', scopes: [''] } });
    expect([token.status, token.body.errors]).toEqual([422, { scopes: ["can't be blank"] }]);
  });

  test('after the highest position another variant can be added', async () => {
    const product = await aProduct({ variants: [{ position: 2147483647 }] });
    expect((await aVariant(product)).product_id).toBe(product.id);
  });

  test.each([
    '/variants?product_id=%00',
    '/variants?product_id[a]=1',
    '/products?show_deleted[a]=1&ids[a]=b',
  ])('%s returns a status below 500', async (path) => {
    expect((await api().get(path)).status).toBeLessThan(500);
  });
});
