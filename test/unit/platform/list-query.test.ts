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

describe('the limits of a search of others than admins', () => {
  const words = (count: number, length = 3) => Array<string>(count).fill('x'.repeat(length));
  const parseAsAdmin = (q: Record<string, unknown>) => parseListQuery({ q }, search, true);

  test.each([
    'name_matches_any',
    'name_cont_any',
    'name_cont_all',
    'name_eq_any',
    'id_lt_all',
    'name_start_any',
  ])('allow 50 values: %s', (name) => {
    expect(parse({ [name]: words(50) })).toMatchObject({ conditions: [{}], ignored: [] });
    expect(parse({ [name]: words(51) })).toMatchObject({ conditions: [], ignored: [name] });
    expect(parseAsAdmin({ [name]: words(1_900) })).toMatchObject({ conditions: [{}], ignored: [] });
  });

  test('allow 50 values in all conditions together', () => {
    const list = parse({ name_cont_any: words(30), name_matches_any: words(30), name_start_any: words(20) });
    expect(list.ignored).toEqual(['name_matches_any']);
    expect(list.conditions).toHaveLength(2);
  });

  test('allow 2 KiB of text in all conditions together', () => {
    expect(parse({ name_cont: 'x'.repeat(2_048) }).ignored).toEqual([]);
    expect(parse({ name_cont: 'x'.repeat(2_049) }).ignored).toEqual(['name_cont']);
    expect(parse({ name_cont_any: words(2, 900), name_eq: 'x'.repeat(300) }).ignored).toEqual(['name_eq']);
    expect(parseAsAdmin({ name_cont: 'x'.repeat(5_000) }).ignored).toEqual([]);
  });

  test('allow 100 comparisons of each row', () => {
    const name = `${Array(20).fill('name').join('_or_')}_matches_any`;
    expect(parse({ [name]: words(5) }).ignored).toEqual([]);
    expect(parse({ [name]: words(6) }).ignored).toEqual([name]);
  });
});

test('conditions without a value are neither applied nor reported', () => {
  const list = parse({ name_eq: '', id_in: [], name_cont: [''], id_or_name_eq: null });
  expect(list).toMatchObject({ conditions: [], ignored: [] });
});
