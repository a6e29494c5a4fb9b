import type { Facets } from 'store-api-client';
import { element } from './elements';

/** What the visitor has chosen: values by option type and by property. */
export interface Filters {
  options: Record<string, string[]>;
  properties: Record<string, string[]>;
  price_max: string;
  in_stock: boolean;
}

type Change = (filters: Filters) => void;

/** Renders the facets of a category with what is chosen. */
export function renderFacets(
  { options = {}, properties = {}, price, in_stock }: Facets,
  filters: Filters,
  change: Change,
): Node[] {
  const group = (kind: 'options' | 'properties', [name, counts]: [string, Count[]]) =>
    renderGroup(name, counts, filters[kind][name] ?? [], (values) =>
      change({ ...filters, [kind]: { ...filters[kind], [name]: values } }),
    );
  return [
    ...Object.entries(options).map((facet) => group('options', facet)),
    ...Object.entries(properties).map((facet) => group('properties', facet)),
    renderPrice(price ?? { min: null, max: null }, filters, change),
    renderCheckbox({ label: 'in stock', count: in_stock?.true ?? 0, checked: filters.in_stock }, (checked) =>
      change({ ...filters, in_stock: checked }),
    ),
  ];
}

interface Count {
  value: string;
  presentation: string;
  count: number;
}

/** A chosen value without products stays, so that it can be unchosen. */
function renderGroup(
  name: string,
  counts: readonly Count[],
  chosen: readonly string[],
  choose: (values: string[]) => void,
): Node {
  const gone = chosen.filter((value) => !counts.some((known) => known.value === value));
  const shown = [...counts, ...gone.map((value) => ({ value, count: 0 }))];
  return element(
    'fieldset',
    { 'data-facet': name },
    element('legend', {}, name),
    ...shown.map(({ value, count }) =>
      renderCheckbox({ label: value, count, checked: chosen.includes(value) }, (checked) =>
        choose(checked ? [...chosen, value] : chosen.filter((other) => other !== value)),
      ),
    ),
  );
}

function renderCheckbox(
  { label, count, checked }: { label: string; count: number; checked: boolean },
  toggle: (checked: boolean) => void,
): Node {
  const box = element('input', { type: 'checkbox' });
  box.checked = checked;
  box.addEventListener('change', () => toggle(box.checked));
  return element('label', { 'data-value': label }, box, label, ' ', element('output', {}, String(count)));
}

function renderPrice({ min, max }: NonNullable<Facets['price']>, filters: Filters, change: Change): Node {
  const most = element('input', { type: 'number', id: 'price_max', value: filters.price_max });
  most.addEventListener('change', () => change({ ...filters, price_max: most.value }));
  return element('fieldset', { 'data-facet': 'price' }, `${min ?? ''} to ${max ?? ''}, at most `, most);
}
