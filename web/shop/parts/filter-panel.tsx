import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef } from 'preact/hooks';
import type { Facets } from 'store-api-client';
import { Link } from 'wouter-preact';
import { textIn } from '../../shared/form';
import { padAmount } from '../../shared/money';
import { countFilters, isNarrowed, toggle, type Filters } from '../filters';
import { useKeptFacets } from '../kept-facets';
import { settingsQuery } from '../queries';
import { useShop } from '../shop';
import { UNRESTORED } from '../unrestored';

interface FilterPanelProps {
  facets: Facets | undefined;
  /** Whether the facets belong to the list before, until the new ones are there. */
  isOld: boolean;
  /** How many products the filters leave. */
  total: number;
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** The attributes of a field for a price: the browser does not send what is not a number. */
const PRICE_INPUT = {
  ...UNRESTORED,
  inputMode: 'decimal',
  pattern: '\\d{1,9}(?:[.,]\\d{1,3})?',
  title: 'Write a price, such as 12.50.',
} as const;

/** The filters of a list, with how many products each value has. */
export function FilterPanel({ facets, isOld, total, filters, onChange }: FilterPanelProps) {
  const optionFacets = useKeptFacets(facets?.option_facets ?? [], isOld);
  const { data: settings } = useQuery(settingsQuery(useShop()));
  const show = (amount: string): string => padAmount(amount, settings?.currency ?? 'USD');
  const chosen = countFilters(filters);
  const panel = useRef<HTMLDetailsElement>(null);
  const prices = useRef<HTMLFormElement>(null);
  // Shows the prices of the address; a new form would lose the focus.
  useEffect(() => prices.current?.reset(), [filters.min, filters.max]);
  const close = (): void => {
    if (panel.current === null) return;
    panel.current.open = false;
    panel.current.scrollIntoView({ block: 'nearest' });
  };
  const setPrice = (event: Event): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    onChange({ ...filters, min: textIn(form, 'min'), max: textIn(form, 'max') });
  };
  return (
    <details class="filters" ref={panel}>
      <summary>Filters{chosen > 0 && ` (${chosen})`}</summary>
      <div class="filters-inside">
        <label class="check">
          <input
            type="checkbox"
            {...UNRESTORED}
            checked={filters.inStock}
            onChange={(event) => onChange({ ...filters, inStock: event.currentTarget.checked })}
          />
          In stock <span class="count-note">{facets?.in_stock?.true ?? 0}</span>
        </label>
        {optionFacets.map(({ name, presentation, values }) => (
          <fieldset key={name}>
            <legend>{presentation}</legend>
            {values.map(({ value, presentation: label, count }) => (
              <label key={value} class="check">
                <input
                  type="checkbox"
                  {...UNRESTORED}
                  checked={filters.options[name]?.includes(value) ?? false}
                  onChange={() => onChange(toggle(filters, name, value))}
                />
                {label} <span class="count-note">{count}</span>
              </label>
            ))}
          </fieldset>
        ))}
        <form onSubmit={setPrice} ref={prices}>
          <fieldset class="price-filter">
            <legend>Price</legend>
            <label>
              <span class="visually-hidden">Lowest price</span>
              <input
                name="min"
                {...PRICE_INPUT}
                placeholder={facets?.price?.min == null ? 'from' : show(facets.price.min)}
                defaultValue={filters.min}
              />
            </label>
            <span aria-hidden="true">–</span>
            <label>
              <span class="visually-hidden">Highest price</span>
              <input
                name="max"
                {...PRICE_INPUT}
                placeholder={facets?.price?.max == null ? 'to' : show(facets.price.max)}
                defaultValue={filters.max}
              />
            </label>
            <button class="button-quiet">Apply</button>
          </fieldset>
        </form>
        {isNarrowed(filters) && (
          <Link href={filters.search === '' ? '?' : `?search=${encodeURIComponent(filters.search)}`}>
            Clear all
          </Link>
        )}
        <button type="button" class="button filters-end" onClick={close}>
          {total === 1 ? 'Show 1 product' : `Show ${total} products`}
        </button>
      </div>
    </details>
  );
}
