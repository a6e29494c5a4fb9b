import type { Knex } from 'knex';
import { loadReference } from '../../seeds/reference';
import { closeDatabase, digestOf, ownDatabase } from './own-database';

describe('loadReference', () => {
  let db: Knex;

  beforeAll(async () => {
    db = await ownDatabase();
  });
  afterAll(() => closeDatabase(db));

  test('creates the zones North America and EU', async () => {
    const members = await db('zones')
      .join('zone_members', 'zone_members.zone_id', 'zones.id')
      .join('countries', 'countries.id', 'zone_members.country_id')
      .orderBy('countries.iso')
      .select<{ zone: string; iso: string }[]>('zones.name as zone', 'countries.iso');
    const isoOf = (zone: string) =>
      members.filter((member) => member.zone === zone).map((member) => member.iso);
    expect(isoOf('North America')).toEqual(['CA', 'US']);
    expect(isoOf('EU')).toHaveLength(27);
    expect(isoOf('EU')).toEqual(expect.arrayContaining(['DE', 'FR', 'GR', 'HR', 'IT']));
    expect(isoOf('EU')).not.toContain('GB');
    expect(await db('zones').where({ name: 'North America' }).first('description')).toEqual({
      description: 'USA + Canada',
    });
  });

  test('creates three flat rates in North America for the category Default', async () => {
    const methods = await db('shipping_methods')
      .join('shipping_method_zones', 'shipping_method_zones.shipping_method_id', 'shipping_methods.id')
      .join('zones', 'zones.id', 'shipping_method_zones.zone_id')
      .join(
        'shipping_method_categories',
        'shipping_method_categories.shipping_method_id',
        'shipping_methods.id',
      )
      .join(
        'shipping_categories',
        'shipping_categories.id',
        'shipping_method_categories.shipping_category_id',
      )
      .orderBy('shipping_methods.id')
      .select(
        'shipping_methods.name',
        'calculator_type',
        'calculator_preferences',
        'zones.name as zone',
        'shipping_categories.name as category',
      );
    const method = (name: string, amount: string) => ({
      name,
      calculator_type: 'flat_rate',
      calculator_preferences: { amount, currency: 'USD' },
      zone: 'North America',
      category: 'Default',
    });
    expect(methods).toEqual([
      method('UPS Ground (USD)', '5.00'),
      method('UPS Two Day (USD)', '10.00'),
      method('UPS One Day (USD)', '15.00'),
    ]);
  });

  test('creates payment methods for cards, through the Bogus gateway, and checks', async () => {
    expect(
      await db('payment_methods').orderBy('position').select('name', 'gateway', 'method_type', 'active'),
    ).toEqual([
      { name: 'Credit Card', gateway: 'bogus', method_type: 'gateway', active: true },
      { name: 'Check', gateway: 'check', method_type: 'check', active: true },
    ]);
  });

  test('creates one active stock location, called default, that allows backorders', async () => {
    expect(
      await db('stock_locations').select(
        'name',
        'active',
        'is_default',
        'backorderable_default',
        'propagate_all_variants',
      ),
    ).toEqual([
      {
        name: 'default',
        active: true,
        is_default: true,
        backorderable_default: true,
        propagate_all_variants: true,
      },
    ]);
  });

  test('creates nine return reasons, a tax category, no tax rate, and one store in US dollars', async () => {
    expect(await db('return_authorization_reasons').orderBy('id').pluck('name')).toEqual([
      'Better price available',
      'Missed estimated delivery date',
      'Missing parts or accessories',
      'Damaged/Defective',
      'Different from what was ordered',
      'Different from description',
      'No longer needed/wanted',
      'Accidental order',
      'Unauthorized purchase',
    ]);
    expect(await db('tax_categories').select('name', 'is_default')).toEqual([
      { name: 'Default', is_default: true },
    ]);
    expect(await db('tax_rates').count().first()).toEqual({ count: '0' });
    expect(await db('stores').select('code', 'currency', 'is_default')).toEqual([
      { code: 'store', currency: 'USD', is_default: true },
    ]);
  });

  test('changes nothing in a store that is in use', async () => {
    const before = await digestOf(db);
    expect(await Promise.all([loadReference(db), loadReference(db)])).toEqual([false, false]);
    expect(await digestOf(db)).toEqual(before);
  });
});

test('records that the owner has deleted stay deleted', async () => {
  const db = await ownDatabase();
  try {
    await db('shipping_methods').where({ name: 'UPS One Day (USD)' }).delete();
    expect(await loadReference(db)).toBe(false);
    expect(await db('shipping_methods').where({ name: 'UPS One Day (USD)' })).toEqual([]);
  } finally {
    await closeDatabase(db);
  }
});

test('two instances that start at once on an empty store set it up once', async () => {
  const db = await ownDatabase();
  try {
    await db.raw(`TRUNCATE stores, zones, tax_categories, shipping_categories, stock_locations, shipping_methods,
      payment_methods, return_authorization_reasons, products RESTART IDENTITY CASCADE`);
    const loaded = await Promise.all([loadReference(db), loadReference(db)]);
    expect(loaded.sort()).toEqual([false, true]);
    expect(await db('payment_methods').count().first()).toEqual({ count: '2' });
  } finally {
    await closeDatabase(db);
  }
});
