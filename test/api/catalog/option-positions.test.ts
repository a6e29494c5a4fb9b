import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { anOptionType, aProduct } from '../../support/products.factory';
import { unique } from '../../support/unique';

/*
 * Option types, the values of one type, and the variants of one product have distinct positions.
 */

const MAX_INT4 = 2_147_483_647;

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

function expectDistinct(positions: readonly number[]): void {
  expect(new Set(positions).size).toBe(positions.length);
}

const listTypePositions = () => testDb()('option_types').pluck('position');

async function createType(position?: number): Promise<{ id: number; position: number }> {
  const admin = await asAdmin();
  const option_type = { name: unique('type'), presentation: 'Type', position };
  const reply = await admin.post('/option_types', { option_type });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body;
}

async function getPosition(id: number): Promise<number> {
  return (await api().get(`/option_types/${id}`)).body.position;
}

describe('option types', () => {
  test('that are created concurrently are appended one after another', async () => {
    const made = await times(6, () => createType());
    expectDistinct(made.map(({ position }) => position));
    expectDistinct(await listTypePositions());
  });

  test('at a taken position move the others behind them, up to the next gap', async () => {
    const first = await createType();
    const [second, behindGap] = [await createType(), await createType()];
    const admin = await asAdmin();
    await admin.put(`/option_types/${behindGap.id}`, { option_type: { position: first.position + 10 } });

    const placed = await createType(first.position);
    expect(placed.position).toBe(first.position);
    expect(await getPosition(first.id)).toBe(first.position + 1);
    expect(await getPosition(second.id)).toBe(first.position + 2);
    expect(await getPosition(behindGap.id)).toBe(first.position + 10);

    const moved = await admin.put(`/option_types/${second.id}`, {
      option_type: { position: first.position },
    });
    expect(moved.body.position).toBe(first.position);
    expect(await getPosition(placed.id)).toBe(first.position + 1);
    expectDistinct(await listTypePositions());
  });

  test('after the highest integer stay distinct', async () => {
    const made = [await createType(MAX_INT4)];
    made.push(...(await times(3, () => createType())), ...(await times(2, () => createType(MAX_INT4))));
    const positions = await listTypePositions();
    expectDistinct(positions);
    expect(Math.max(...positions)).toBe(MAX_INT4);
    await testDb()('option_types')
      .whereIn(
        'id',
        made.map(({ id }) => id),
      )
      .delete();
  });
});

describe('option values', () => {
  const listPositions = (option_type_id: number | null) =>
    testDb()('option_values').where({ option_type_id }).pluck('position');

  async function listNames(typeId: number): Promise<string[]> {
    const { body } = await api().get(`/option_types/${typeId}`);
    return body.option_values.map(({ name }: { name: string }) => name);
  }

  test('that are created concurrently are appended one after another', async () => {
    const type = await anOptionType('Size');
    const admin = await asAdmin();
    const build = (name: string) => ({ name, presentation: name });
    await times(6, (index) =>
      index % 2 === 0
        ? admin.post(`/option_types/${type.id}/option_values`, { option_value: build(`v${index}`) })
        : admin.put(`/option_types/${type.id}`, {
            option_type: { option_values_attributes: [build(`v${index}`)] },
          }),
    );
    const positions = await listPositions(type.id);
    expect(positions).toHaveLength(6);
    expectDistinct(positions);
  });

  test('at a taken position, or of another type, move the others behind them', async () => {
    const [type, other] = [await anOptionType('Size'), await anOptionType('Size')];
    const admin = await asAdmin();
    const create = async (name: string, option_type_id: number, position?: number): Promise<number> => {
      const option_value = { name, presentation: name, option_type_id, position };
      return (await admin.post('/option_values', { option_value })).body.id;
    };
    for (const name of ['s', 'm', 'l']) await create(name, type.id);
    await create('xs', type.id, 1);
    expect(await listNames(type.id)).toEqual(['xs', 's', 'm', 'l']);

    const stray = await create('xl', other.id);
    await admin.put(`/option_values/${stray}`, { option_value: { option_type_id: type.id } });
    expect(await listNames(type.id)).toEqual(['xl', 'xs', 's', 'm', 'l']);
    await admin.put(`/option_types/${type.id}`, {
      option_type: { option_values_attributes: [{ id: stray, position: 3 }] },
    });
    expect(await listNames(type.id)).toEqual(['xs', 'xl', 's', 'm', 'l']);
    expectDistinct(await listPositions(type.id));
  });
});

describe('variants', () => {
  test('at a taken position move the others behind them; the master stays first', async () => {
    const admin = await asAdmin();
    const product = await aProduct();
    const create = async (position?: number): Promise<number> =>
      (await admin.post(`/products/${product.id}/variants`, { variant: { position } })).body.id;
    const listIds = async (): Promise<number[]> => {
      const { body } = await api().get(`/products/${product.id}/variants`);
      return body.variants.map(({ id }: { id: number }) => id);
    };
    const [first, second, third] = [await create(), await create(), await create()];
    const master = product.master.id;

    await admin.put(`/variants/${third}`, { variant: { position: 2 } });
    expect(await listIds()).toEqual([master, third, first, second]);
    const fourth = await create(3);
    expect(await listIds()).toEqual([master, third, fourth, first, second]);
    await admin.put(`/products/${product.id}`, { product: { variants: [{ id: second, position: 1 }] } });
    expect(await listIds()).toEqual([master, second, third, fourth, first]);
    await admin.put(`/variants/${second}`, { variant: { position: 5 } });
    expect(await listIds()).toEqual([master, third, fourth, first, second]);
    expectDistinct(
      await testDb()('variants').where({ product_id: product.id, is_master: false }).pluck('position'),
    );
  });
});
