import type { SearchDefinition } from '../../../src/platform/query-builder/define-search';
import { parseListQuery } from '../../../src/platform/query-builder/list-query';

const search: SearchDefinition = {
  table: 'things',
  attributes: { id: 'integer', name: 'text' },
  baseOrder: [],
};

const parse = (q: Record<string, unknown>) => parseListQuery({ q }, search, false);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the limits of a search', () => {
  test('allow 100 columns; further conditions are ignored and reported', () => {
    const half = Array(50).fill('name').join('_or_');
    const list = parse({ [`${half}_cont`]: 'a', [`${half}_eq`]: 'a', name_start: 'a' });
    expect(list.conditions.map(({ attributes }) => attributes.length)).toEqual([50, 50]);
    expect(list.ignored).toEqual(['name_start']);
  });

  test('allow 2000 values; a longer list is ignored, not truncated', () => {
    expect(parse({ id_in: numbers(2000) })).toMatchObject({ conditions: [{}], ignored: [] });
    expect(parse({ id_in: numbers(2001) })).toMatchObject({ conditions: [], ignored: ['id_in'] });
    expect(parse({ id_or_id_in: numbers(1001) })).toMatchObject({ conditions: [], ignored: ['id_or_id_in'] });
  });

  test('do not count ignored conditions', () => {
    const list = parse({ id_in: numbers(2001), name_eq: 'a' });
    expect(list.conditions).toHaveLength(1);
    expect(list.ignored).toEqual(['id_in']);
  });

  test('ignore a name of 70,000 parts without parsing it', () => {
    const name = `${Array(70_000).fill('name').join('_or_')}_cont`;
    expect(parse({ [name]: 'a' })).toMatchObject({ conditions: [], ignored: [name] });
  });
});

test('conditions without a value are neither applied nor reported', () => {
  const list = parse({ name_eq: '', id_in: [], name_cont: [''], id_or_name_eq: null });
  expect(list).toMatchObject({ conditions: [], ignored: [] });
});
