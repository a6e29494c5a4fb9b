/** What a list of products is narrowed by; it stands in the address of the page. */
export interface Filters {
  search: string;
  sort: SortName;
  inStock: boolean;
  min: string;
  max: string;
  /** Chosen values by the name of the option type. */
  options: Readonly<Record<string, readonly string[]>>;
}

export const SORTS = [
  ['', 'Featured'],
  ['newest', 'Newest'],
  ['best_selling', 'Best selling'],
  ['price asc', 'Price, low to high'],
  ['price desc', 'Price, high to low'],
  ['name asc', 'Name'],
] as const;

export type SortName = (typeof SORTS)[number][0];

/** Returns the sort of this name; the one of the store if there is none. */
export const toSort = (name: string): SortName => SORTS.find(([value]) => value === name)?.[0] ?? '';

const OPTION = 'o.';
/** Of one option; more make no address that anyone chose. */
const MOST_VALUES = 50;
const AMOUNT = /^\d{1,9}([.,]\d{1,3})?$/;

const readAmount = (text: string | null): string =>
  text !== null && AMOUNT.test(text) ? text.replace(',', '.') : '';

/** Reads the filters of an address. Anything unknown is ignored. */
export function readFilters(params: URLSearchParams): Filters {
  const options: Record<string, string[]> = {};
  for (const [name, value] of params)
    if (name.startsWith(OPTION) && value !== '')
      options[name.slice(OPTION.length)] = value.split('|', MOST_VALUES);
  return {
    search: (params.get('search') ?? '').trim().slice(0, 200),
    sort: toSort(params.get('sort') ?? ''),
    inStock: params.get('in_stock') === 'true',
    min: readAmount(params.get('min')),
    max: readAmount(params.get('max')),
    options,
  };
}

/** Writes filters as the query of an address, with its question mark; empty if there are none. */
export function writeFilters({ search, sort, inStock, min, max, options }: Filters): string {
  const params = new URLSearchParams();
  if (search !== '') params.set('search', search);
  if (sort !== '') params.set('sort', sort);
  if (inStock) params.set('in_stock', 'true');
  if (min !== '') params.set('min', min);
  if (max !== '') params.set('max', max);
  for (const [name, values] of Object.entries(options))
    if (values.length > 0) params.set(`${OPTION}${name}`, values.join('|'));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Writes the chosen values alone, for the address of a product; empty if there are none. */
export const writeOptions = (options: Filters['options']): string =>
  writeFilters({ ...readFilters(new URLSearchParams()), options });

/** Returns the filters as the parameters of the API. */
export function toQuery({ search, sort, inStock, min, max, options }: Filters) {
  return {
    ...(search !== '' && { search }),
    ...(sort !== '' && { q: { s: sort } }),
    ...(inStock && { in_stock: true }),
    ...(min !== '' && { price_min: min }),
    ...(max !== '' && { price_max: max }),
    ...(Object.keys(options).length > 0 && { option: options as Record<string, string[]> }),
  };
}

/** Adds a value to an option, or removes it. */
export function toggle(filters: Filters, name: string, value: string): Filters {
  const chosen = filters.options[name] ?? [];
  const values = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value];
  return { ...filters, options: { ...filters.options, [name]: values } };
}

/** Counts the values, and the price limits as one. */
export const countFilters = ({ inStock, min, max, options }: Filters): number =>
  Object.values(options).flat().length + (inStock ? 1 : 0) + (min !== '' || max !== '' ? 1 : 0);

export const isNarrowed = (filters: Filters): boolean => countFilters(filters) > 0;
