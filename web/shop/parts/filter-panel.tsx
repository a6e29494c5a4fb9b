import { useQuery } from '@tanstack/preact-query';
import type { Facets } from 'store-api-client';
import { Link } from 'wouter-preact';
import { padAmount } from '../../shared/money';
import { isNarrowed, toggle, type Filters } from '../filters';
import { settingsQuery } from '../queries';
import { useShop } from '../shop';

interface FilterPanelProps {
  facets: Facets | undefined;
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** The filters of a list, with how many products each value has. */
export function FilterPanel({ facets, filters, onChange }: FilterPanelProps) {
  const { data: settings } = useQuery(settingsQuery(useShop()));
  const show = (amount: string): string => padAmount(amount, settings?.currency ?? 'USD');
  const chosen = Object.values(filters.options).flat().length + (filters.inStock ? 1 : 0);
  const setPrice = (event: Event): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    // Both are text fields.
    onChange({ ...filters, min: form.get('min') as string, max: form.get('max') as string });
  };
  return (
    <details class="filters" open={chosen > 0}>
      <summary>Filters{chosen > 0 && ` (${chosen})`}</summary>
      <div class="filters-inside">
        <label class="check">
          <input
            type="checkbox"
            checked={filters.inStock}
            onChange={(event) => onChange({ ...filters, inStock: event.currentTarget.checked })}
          />
          In stock <span class="count-note">{facets?.in_stock?.true ?? 0}</span>
        </label>
        {(facets?.option_facets ?? []).map(({ name, presentation, values }) => (
          <fieldset key={name}>
            <legend>{presentation}</legend>
            {values.map(({ value, presentation: label, count }) => (
              <label key={value} class="check">
                <input
                  type="checkbox"
                  checked={filters.options[name]?.includes(value) ?? false}
                  onChange={() => onChange(toggle(filters, name, value))}
                />
                {label} <span class="count-note">{count}</span>
              </label>
            ))}
          </fieldset>
        ))}
        <form onSubmit={setPrice} key={`${filters.min}-${filters.max}`}>
          <fieldset class="price-filter">
            <legend>Price</legend>
            <label>
              <span class="visually-hidden">Lowest price</span>
              <input
                name="min"
                inputMode="decimal"
                placeholder={facets?.price?.min == null ? 'from' : show(facets.price.min)}
                defaultValue={filters.min}
              />
            </label>
            <span aria-hidden="true">–</span>
            <label>
              <span class="visually-hidden">Highest price</span>
              <input
                name="max"
                inputMode="decimal"
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
      </div>
    </details>
  );
}
