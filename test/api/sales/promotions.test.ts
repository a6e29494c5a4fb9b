import { readPromotionName } from '../../../src/sales/pricing/order-promotions';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { aProduct } from '../../support/products.factory';
import { aPromotion, onlyFor } from '../../support/promotions.factory';
import { countQueries } from '../../support/queries';
import { aTaxon, aTaxonomy } from '../../support/taxons.factory';
import { unique } from '../../support/unique';
import { UNKNOWN_ID } from '../../support/error-bodies';

let admin: ReturnType<typeof api>;

beforeAll(async () => {
  admin = api(await anAdmin());
});

// Automatic promotions would discount the orders of the next test.
afterEach(async () => {
  await testDb()('promotions').whereNull('code').delete();
});

describe('promotions', () => {
  test('are created with rules and actions, and found by id or code', async () => {
    const [bag, user] = [await aProduct(), await aCustomer()];
    const taxonomy = await aTaxonomy();
    const code = unique('Summer');
    const made = await admin.post('/promotions', {
      promotion: {
        name: ' Summer ',
        description: 'Hot',
        code: ` ${code} `,
        path: `/${code}`,
        type: 'season',
        starts_at: '2026-06-01',
        expires_at: '2126-09-01T12:00:00Z',
        usage_limit: '50',
        match_policy: 'any',
        advertise: '1',
        rules: [
          { type: 'item_total', amount_min: '50', amount_max: 99.999 },
          { type: 'product', product_ids: [bag.id], match_policy: 'all' },
          { type: 'Spree::Promotion::Rules::Taxon', taxon_ids: `${taxonomy.root.id}` },
          { type: 'user', user_ids: [user.id, user.id] },
          { type: 'first_order' },
          { type: 'one_use_per_user' },
        ],
        promotion_actions_attributes: {
          0: { type: 'order_percent', percent: '12.5', amount: '3' },
          1: { type: 'line_amount', amount: '3', currency: 'eur' },
          2: { type: 'free_shipping' },
        },
      },
    });
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
    const none = { match_policy: null, amount_min: null, amount_max: null, currency: null };
    const noIds = { product_ids: [], taxon_ids: [], user_ids: [] };
    const id = expect.any(Number);
    expect(made.body).toEqual({
      id,
      name: 'Summer',
      description: 'Hot',
      code,
      path: `/${code}`,
      type: 'season',
      starts_at: '2026-06-01T00:00:00.000Z',
      expires_at: '2126-09-01T12:00:00.000Z',
      usage_limit: 50,
      usage_count: 0,
      match_policy: 'any',
      advertise: true,
      rules: [
        {
          id,
          ...none,
          ...noIds,
          type: 'item_total',
          amount_min: '50.0',
          amount_max: '100.0',
          currency: 'USD',
        },
        { id, ...none, ...noIds, type: 'product', match_policy: 'all', product_ids: [bag.id] },
        { id, ...none, ...noIds, type: 'taxon', match_policy: 'any', taxon_ids: [taxonomy.root.id] },
        { id, ...none, ...noIds, type: 'user', user_ids: [user.id] },
        { id, ...none, ...noIds, type: 'first_order' },
        { id, ...none, ...noIds, type: 'one_use_per_user' },
      ],
      actions: [
        { id, type: 'order_percent', percent: '12.5', amount: null, currency: null },
        { id, type: 'line_amount', percent: null, amount: '3.0', currency: 'EUR' },
        { id, type: 'free_shipping', percent: null, amount: null, currency: null },
      ],
    });
    expect((await admin.get(`/promotions/${made.body.id}`)).body).toEqual(made.body);
    expect((await admin.get(`/promotions/${code.toUpperCase()}`)).body).toEqual(made.body);
  });

  test('need only a name; without a code they are automatic', async () => {
    const made = await admin.post('/promotions', { name: 'Plain', code: '', path: '' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      code: null,
      path: null,
      usage_limit: null,
      match_policy: 'all',
      advertise: false,
      starts_at: null,
      expires_at: null,
      rules: [],
      actions: [],
    });
    const fields = await admin.get('/promotions/new');
    expect(fields.body.required_attributes).toEqual(['name']);
    expect(fields.body.attributes).toEqual(expect.arrayContaining(['code', 'rules', 'actions']));
  });

  test.each<[string, object, Record<string, string[]>]>([
    ['no name', { name: ' ' }, { name: ["can't be blank"] }],
    ['a usage limit of 0', { usage_limit: 0 }, { usage_limit: ['must be greater than or equal to 1'] }],
    ['an unknown policy', { match_policy: 'some' }, { match_policy: ['is not included in the list'] }],
    [
      'an end before the start',
      { starts_at: '2026-02-01', expires_at: '2026-02-01' },
      { expires_at: ['must be later than starts_at'] },
    ],
    ['a rule without a type', { rules: [{}] }, { 'rules.type': ["can't be blank"] }],
    ['an unknown rule', { rules: [{ type: 'weather' }] }, { 'rules.type': ['is not included in the list'] }],
    ['no amounts', { rules: [{ type: 'item_total' }] }, { 'rules.amount_min': ["can't be blank"] }],
    [
      'bounds in the wrong order',
      { rules: [{ type: 'item_total', amount_min: '5', amount_max: '4.99' }] },
      { 'rules.amount_max': ['must be greater than or equal to 5.0'] },
    ],
    [
      'an invalid currency',
      { rules: [{ type: 'item_total', amount_min: '5', currency: 'U$' }] },
      { 'rules.currency': ['is invalid'] },
    ],
    [
      'an unknown currency of a rule',
      { rules: [{ type: 'item_total', amount_min: '5', currency: 'EUO' }] },
      { 'rules.currency': ['is invalid'] },
    ],
    [
      'an unknown currency of an action',
      { actions: [{ type: 'line_amount', amount: '5', currency: 'EUO' }] },
      { 'actions.currency': ['is invalid'] },
    ],
    [
      'no products',
      { rules: [{ type: 'product', product_ids: [] }] },
      { 'rules.product_ids': ["can't be blank"] },
    ],
    [
      'unknown products',
      { rules: [{ type: 'product', product_ids: [UNKNOWN_ID] }] },
      { 'rules.product_ids': ['is invalid'] },
    ],
    [
      'unknown taxons',
      { rules: [{ type: 'taxon', taxon_ids: [UNKNOWN_ID] }] },
      { 'rules.taxon_ids': ['is invalid'] },
    ],
    [
      'unknown users',
      { rules: [{ type: 'user', user_ids: [UNKNOWN_ID] }] },
      { 'rules.user_ids': ['is invalid'] },
    ],
    [
      'a taxon rule that excludes',
      { rules: [{ type: 'taxon', taxon_ids: [1], match_policy: 'none' }] },
      { 'rules.match_policy': ['is invalid'] },
    ],
    ["another promotion's rule", { rules: [{ id: UNKNOWN_ID }] }, { 'rules.id': ['is invalid'] }],
    ['an action without a type', { actions: [{}] }, { 'actions.type': ["can't be blank"] }],
    [
      'a missing percentage',
      { actions: [{ type: 'order_percent', amount: '3' }] },
      { 'actions.percent': ["can't be blank"] },
    ],
    [
      'more than 100 percent',
      { actions: [{ type: 'line_percent', percent: '100.01' }] },
      { 'actions.percent': ['must be less than or equal to 100'] },
    ],
    [
      'a discount that raises the price',
      { actions: [{ type: 'order_amount', amount: '-1' }] },
      { 'actions.amount': ['must be greater than or equal to 0.01'] },
    ],
    ["another promotion's action", { actions: [{ id: UNKNOWN_ID }] }, { 'actions.id': ['is invalid'] }],
  ])('with %s return 422, and nothing is stored', async (_, wrong, errors) => {
    const name = unique('Wrong');
    const reply = await admin.post('/promotions', { promotion: { name, ...wrong } });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect((await admin.get(`/promotions?q[name_eq]=${name}`)).body.total_count).toBe(0);
  });

  test('have a unique code and path, ignoring the letter case', async () => {
    const { code } = await aPromotion({ path: `/${unique('path')}` });
    const again = await admin.post('/promotions', { promotion: { name: 'x', code: code.toLowerCase() } });
    expect([again.status, again.body.errors]).toEqual([422, { code: ['has already been taken'] }]);
    const other = await aPromotion({ path: `/${unique('path')}` });
    const moved = await admin.put(`/promotions/${code}`, { promotion: { path: other.path } });
    expect([moved.status, moved.body.errors]).toEqual([422, { path: ['has already been taken'] }]);
  });

  test('are updated in part; attributes that are not named stay', async () => {
    const [bag, mug] = [await aProduct(), await aProduct()];
    const made = await aPromotion({
      usage_limit: 3,
      expires_at: '2126-01-01',
      rules: [{ type: 'product', product_ids: [bag.id] }, { type: 'first_order' }],
    });
    const [productRule, first] = made.rules;
    const [tenPercent] = made.actions;
    const changed = await admin.put(`/promotions/${made.id}`, {
      promotion: {
        usage_limit: '',
        promotion_rules_attributes: [
          { id: productRule.id, product_ids: [mug.id], type: 'user' },
          { id: first.id, _destroy: '1' },
          { type: 'item_total', amount_max: '20' },
        ],
        actions: [{ id: tenPercent.id, percent: '20' }],
      },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ code: made.code, usage_limit: null, expires_at: made.expires_at });
    expect(changed.body.rules).toEqual([
      { ...productRule, product_ids: [mug.id] },
      expect.objectContaining({ type: 'item_total', amount_min: null, amount_max: '20.0' }),
    ]);
    expect(changed.body.actions).toEqual([{ ...tenPercent, percent: '20.0' }]);
    const backwards = await admin.put(`/promotions/${made.id}`, { promotion: { starts_at: '2126-02-01' } });
    expect(backwards.body.errors).toEqual({ expires_at: ['must be later than starts_at'] });
    const foreign = await aPromotion({ rules: [{ type: 'first_order' }] });
    const taken = await admin.put(`/promotions/${made.id}`, {
      promotion: { rules: [{ id: foreign.rules[0].id, _destroy: true }] },
    });
    expect(taken.body.errors).toEqual({ 'rules.id': ['is invalid'] });
    expect((await admin.get(`/promotions/${foreign.id}`)).body.rules).toHaveLength(1);
  });

  test('lose the actions that _destroy names, and keep the others', async () => {
    const made = await aPromotion({
      actions: [{ type: 'order_percent', percent: '10' }, { type: 'free_shipping' }],
    });
    const [percent, freeShipping] = made.actions;
    const changed = await admin.put(`/promotions/${made.id}`, {
      promotion: { actions: [{ id: percent.id, _destroy: true }] },
    });
    expect([changed.status, changed.body.actions]).toEqual([200, [freeShipping]]);
    // Forms also send rows that were added and removed before they were saved.
    const promotion = { actions: [{ _destroy: true }], rules: [{ type: 'first_order', _destroy: true }] };
    const same = await admin.put(`/promotions/${made.id}`, { promotion });
    expect([same.status, same.body]).toMatchObject([200, { rules: [], actions: [freeShipping] }]);
  });

  test('have at most 50 rules and 50 actions, also after updates', async () => {
    const first = { type: 'first_order' };
    const repeatRow = (row: object, count: number) => Array.from({ length: count }, () => row);
    const tooLong = ['is too long (maximum is 50 entries)'];
    const name = unique('Full');
    const refused = await admin.post('/promotions', {
      promotion: { name, rules: repeatRow(first, 51), actions: repeatRow({ type: 'free_shipping' }, 51) },
    });
    expect([refused.status, refused.body.errors]).toEqual([422, { rules: tooLong, actions: tooLong }]);

    const full = await aPromotion({ rules: repeatRow(first, 50) });
    const change = (promotion: object) => admin.put(`/promotions/${full.id}`, { promotion });
    const rules = full.rules.map(({ id }: { id: number }) => ({ id }));
    const grown = await change({ promotion_rules_attributes: [first] });
    expect([grown.status, grown.body.errors]).toEqual([422, { rules: tooLong }]);
    expect((await change({ actions: repeatRow({ type: 'free_shipping' }, 50) })).body.errors).toEqual({
      actions: tooLong,
    });
    expect((await change({ rules })).status).toBe(200);
    const removed = { ...rules[0], _destroy: true };
    expect((await change({ rules: [removed, removed, first, first] })).body.errors).toEqual({
      rules: tooLong,
    });
    const exchanged = await change({ rules: [removed, first] });
    expect([exchanged.status, exchanged.body.rules?.length]).toEqual([200, 50]);
  });

  test('return 404 once deleted', async () => {
    const made = await aPromotion();
    expect((await admin.delete(`/promotions/${made.code}`)).status).toBe(204);
    expect((await admin.get(`/promotions/${made.id}`)).status).toBe(404);
    expect((await admin.put(`/promotions/${made.id}`, { promotion: { name: '' } })).status).toBe(404);
    expect((await admin.delete(`/promotions/${made.id}`)).status).toBe(404);
  });

  test('are available to admins only', async () => {
    const { id } = await aPromotion();
    for (const caller of [{}, await aCustomer()]) {
      expect((await api(caller).get('/promotions')).status).toBe(401);
      expect((await api(caller).get(`/promotions/${id}`)).status).toBe(401);
      expect((await api(caller).post('/promotions', { promotion: { name: 'x' } })).status).toBe(401);
      expect((await api(caller).put(`/promotions/${id}`, { promotion: { name: 'x' } })).status).toBe(401);
      expect((await api(caller).delete(`/promotions/${id}`)).status).toBe(401);
    }
  });

  test('are searched and sorted; the list takes as many statements for one as for many', async () => {
    const name = unique('Listed');
    const first = await aPromotion({ name, rules: [{ type: 'first_order' }] });
    const list = `/promotions?q[name_eq]=${name}`;
    const one = await countQueries(() => admin.get(list));
    const second = await aPromotion({ name, advertise: true });
    expect(await countQueries(() => admin.get(list))).toBe(one);
    const ids = async (query: string) =>
      (await admin.get(list + query)).body.promotions.map(({ id }: any) => id);
    expect(await ids('')).toEqual([first.id, second.id]);
    expect(await ids('&q[s]=id desc')).toEqual([second.id, first.id]);
    expect(await ids('&q[advertise_true]=1')).toEqual([second.id]);
    expect(await ids(`&q[code_eq]=${first.code}`)).toEqual([first.id]);
    expect(await ids('&per_page=1&page=2')).toEqual([second.id]);
  });
});

describe('an automatic promotion', () => {
  test('applies to orders that meet its rules, as the cart changes', async () => {
    const variant = await aSellableVariant({ price: '10' });
    const promotion = await aPromotion({
      code: null,
      rules: [onlyFor(variant), { type: 'item_total', amount_min: '20' }],
      actions: [{ type: 'line_percent', percent: '25' }],
    });
    const order = await orderInState('cart', { lines: [{ variant_id: variant.id, quantity: 1 }] });
    expect(order).toMatchObject({ total: '10.0', adjustment_total: '0.0' });
    const shopper = api(order.caller);
    const [line] = order.line_items;
    expect(line.adjustments).toEqual([]);

    const two = await shopper.put(`/orders/${order.number}/line_items/${line.id}`, {
      line_item: { quantity: 2 },
    });
    expect(two.body).toMatchObject({
      total: '15.0',
      adjustments: [
        {
          source_type: 'Store::PromotionAction',
          source_id: promotion.actions[0].id,
          adjustable_type: 'Store::LineItem',
          adjustable_id: line.id,
          amount: '-5.0',
          display_amount: '-$5.00',
          label: `Promotion (${promotion.name})`,
          eligible: true,
          included: false,
          mandatory: false,
          locked: false,
        },
      ],
    });
    expect(readPromotionName(two.body.adjustments[0].label)).toBe(promotion.name);
    const now = await shopper.get(`/orders/${order.number}`);
    expect(now.body).toMatchObject({ item_total: '20.0', adjustment_total: '-5.0', total: '15.0' });

    const one = await shopper.put(`/orders/${order.number}/line_items/${line.id}`, {
      line_item: { quantity: 1 },
    });
    expect(one.body).toMatchObject({ total: '10.0', adjustments: [] });
  });

  test('with a taxon rule includes the taxons below', async () => {
    const taxonomy = await aTaxonomy();
    const bags = await aTaxon(taxonomy);
    const variant = await aSellableVariant({ price: '10', product: { taxon_ids: [bags.id] } });
    const other = await aSellableVariant({ price: '10' });
    await aPromotion({
      code: null,
      rules: [{ type: 'taxon', taxon_ids: [taxonomy.root.id] }],
      actions: [{ type: 'line_amount', amount: '4' }],
    });
    const lines = [{ variant_id: variant.id }, { variant_id: other.id }];
    const order = await orderInState('cart', { lines });
    expect(order.line_items.map((line: any) => line.total)).toEqual(['6.0', '10.0']);
    // Without its last taxon the rule names nothing, so no order meets it.
    await admin.delete(`/taxonomies/${taxonomy.id}`);
    const later = await orderInState('cart', { lines });
    expect(later.line_items.map((line: any) => line.total)).toEqual(['10.0', '10.0']);
  });

  test('with a user rule follows the owner of the order', async () => {
    const [variant, user] = [await aSellableVariant({ price: '10' }), await aCustomer()];
    await aPromotion({ code: null, rules: [onlyFor(variant), { type: 'user', user_ids: [user.id] }] });
    const order = await orderInState('cart', { lines: [{ variant_id: variant.id }] });
    expect(order.total).toBe('10.0');
    const claimed = await api({ ...order.caller, token: user.token }).put(`/orders/${order.number}`, {
      order: { email: null },
    });
    expect(claimed.body).toMatchObject({ user_id: user.id, total: '9.0' });
    const given = await admin.put(`/orders/${order.number}`, { order: { user_id: (await aCustomer()).id } });
    expect(given.body.total).toBe('10.0');
  });

  test('with a first_order rule needs a user or e-mail without complete orders', async () => {
    const variant = await aSellableVariant({ price: '10', stock: 100 });
    await aPromotion({ code: null, rules: [onlyFor(variant), { type: 'first_order' }] });
    const lines = [{ variant_id: variant.id }];
    const email = `${unique('New')}@example.com`;
    const order = await orderInState('complete', { lines, email });
    expect(order).toMatchObject({ state: 'complete', adjustment_total: '-1.0', total: '14.0' });

    const second = await orderInState('cart', { lines });
    expect(second.total).toBe('10.0');
    const known = await api(second.caller).put(`/orders/${second.number}`, {
      order: { email: email.toUpperCase() },
    });
    expect(known.body.total).toBe('10.0');
    const unknown = await api(second.caller).put(`/orders/${second.number}`, {
      order: { email: `${unique('other')}@example.com` },
    });
    expect(unknown.body.total).toBe('9.0');

    await admin.put(`/orders/${order.number}/cancel`);
    const third = await orderInState('cart', { lines });
    const again = await api(third.caller).put(`/orders/${third.number}`, { order: { email } });
    expect(again.body.total).toBe('9.0');
  });

  test('yields to a better one per line, and is added to one for the order and to free shipping', async () => {
    const variant = await aSellableVariant({ price: '50' });
    const rules = [onlyFor(variant)];
    await aPromotion({ code: null, rules, actions: [{ type: 'line_percent', percent: '10' }] });
    await aPromotion({ code: null, rules, actions: [{ type: 'line_amount', amount: '8' }] });
    await aPromotion({ code: null, rules, actions: [{ type: 'order_percent', percent: '20' }] });
    await aPromotion({ code: null, rules, actions: [{ type: 'order_amount', amount: '9.99' }] });
    await aPromotion({ code: null, rules, actions: [{ type: 'free_shipping' }] });
    const order = await orderInState('delivery', { lines: [{ variant_id: variant.id }] });
    const amounts = (record: any) =>
      record.adjustments.map(({ amount, eligible }: any) => [amount, eligible]);
    expect(amounts(order.line_items[0])).toEqual([
      ['-5.0', false],
      ['-8.0', true],
      ['-10.0', true],
      ['-9.99', false],
    ]);
    expect(amounts(order.shipments[0])).toEqual([['-5.0', true]]);
    expect(order).toMatchObject({
      item_total: '50.0',
      ship_total: '5.0',
      adjustment_total: '-23.0',
      total: '32.0',
    });
  });

  test('that ended or was deleted is removed by the next change; complete orders keep it', async () => {
    const variant = await aSellableVariant({ price: '10' });
    const promotion = await aPromotion({ code: null, rules: [onlyFor(variant)] });
    const lines = [{ variant_id: variant.id }];
    const [sold, open] = [await orderInState('complete', { lines }), await orderInState('cart', { lines })];
    expect([sold.adjustment_total, open.total]).toEqual(['-1.0', '9.0']);
    await admin.put(`/promotions/${promotion.id}`, { promotion: { expires_at: '2026-01-01' } });
    const changed = await api(open.caller).put(`/orders/${open.number}`, {
      order: { line_items: [{ variant_id: variant.id }] },
    });
    expect(changed.body).toMatchObject({ total: '20.0', adjustment_total: '0.0' });
    await admin.delete(`/promotions/${promotion.id}`);
    const kept = await admin.put(`/orders/${sold.number}`, { order: { special_instructions: 'ring twice' } });
    expect(kept.body).toMatchObject({ adjustment_total: '-1.0', total: sold.total });
    expect(kept.body.line_items[0].adjustments).toMatchObject([{ locked: true, eligible: true }]);
  });
});
