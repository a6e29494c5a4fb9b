import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type Variant } from 'store-api-client';
import { ChoiceField, Field } from '../../shared/field';
import { useCurrency } from '../currency';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { Loaded } from '../parts/loaded';
import { Table, type Column } from '../parts/table';
import { useListAddress } from '../list-address';
import { digitsOf } from '../rules/amounts';
import { changePrice, toHundredths } from '../rules/price-change';
import { countOf, moneyOf } from '../words';

const AT_ONCE = 500;

interface Changed {
  variant: Variant;
  /** What tells the variant from others of its product. */
  of: string;
  price: string;
  /** Null if it stays: without a price, or with nothing left of it. */
  changed: string | null;
}

const columnsIn = (currency: string): readonly Column<Changed>[] => [
  { name: 'Product', cell: ({ variant, of }) => `${variant.name} ${of}` },
  { name: 'SKU', cell: ({ variant }) => variant.sku },
  { name: 'Price', isNumber: true, cell: ({ variant }) => variant.display_price },
  {
    name: 'New price',
    isNumber: true,
    cell: ({ changed }) =>
      changed === null ? 'Stays' : <strong>{currency === '' ? changed : moneyOf(changed, currency)}</strong>,
  },
];

/** Changes the prices of many variants by a percentage, after a preview. */
export function Prices() {
  const address = useListAddress('/prices');
  const { search } = address;
  const [percent, setPercent] = useState('');
  const [ending, setEnding] = useState('');
  const query = useQuery({
    queryKey: ['/prices', search],
    queryFn: ({ signal }) =>
      unwrap(
        store.GET('/api/v1/variants', {
          params: {
            query: {
              q: {
                ...(search !== '' && { product_name_or_sku_cont: search }),
                default_price_amount_not_null: true,
                s: 'sku asc',
              },
              per_page: AT_ONCE,
              fields: 'id,name,sku,price,display_price,options_text,is_master,product_id',
            },
          },
          signal,
        }),
      ),
  });
  const currency = useCurrency();
  const digits = currency === '' ? 2 : digitsOf(currency);
  const isSet = toHundredths(percent) !== null;
  return (
    <>
      <h1>Prices</h1>
      <div class="box fields fields-row">
        <Field
          label="Products (name or SKU)"
          type="search"
          value={address.text}
          maxLength={200}
          onText={address.setText}
        />
        <Field
          label="Change in percent"
          inputMode="decimal"
          value={percent}
          error={percent === '' || isSet ? undefined : 'must be a number such as -10 or 2.5'}
          onText={setPercent}
        />
        {digits >= 2 && (
          <ChoiceField label="Round to" value={ending} onChoose={setEnding}>
            <option value="">the cent</option>
            <option value="99">an ending of .99</option>
            <option value="95">an ending of .95</option>
            <option value="0">an ending of .00</option>
          </ChoiceField>
        )}
      </div>
      <Loaded query={query}>
        {({ variants, total_count }) => {
          const withVariants = new Set(
            variants.filter(({ is_master }) => !is_master).map(({ product_id }) => product_id),
          );
          const rows = variants.map((variant): Changed => {
            const price = variant.price ?? '';
            const to = changePrice(price, { percent, ending: ending === '' ? null : Number(ending), digits });
            const isProduct = variant.is_master && withVariants.has(variant.product_id);
            return { variant, of: isProduct ? '(product)' : variant.options_text, price, changed: to };
          });
          return (
            <>
              <p class="quiet">
                {total_count} {total_count === 1 ? 'variant has' : 'variants have'} a price
                {total_count > AT_ONCE &&
                  `; the first ${AT_ONCE} are listed. Narrow the search to reach others`}
                .
              </p>
              {isSet && rows.length > 0 && (
                // Changed once: the same percentage again would be another change.
                <Save rows={rows} percent={percent} changed={() => setPercent('')} />
              )}
              <section class="box">
                <Table
                  name="Prices"
                  columns={columnsIn(currency)}
                  rows={rows}
                  keyOf={({ variant }) => variant.id}
                />
              </section>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

interface SaveProps {
  rows: readonly Changed[];
  percent: string;
  changed: () => void;
}

function Save({ rows, percent, changed }: SaveProps) {
  const prices = rows.flatMap(({ variant, price, changed: to }) =>
    to === null || toHundredths(to) === toHundredths(price) ? [] : [{ variant_id: variant.id, price: to }],
  );
  if (prices.length === 0) return null;
  return (
    <div class="actions actions-first">
      <Act
        name={`Change ${countOf(prices.length, 'price')}`}
        isQuiet={false}
        scope="catalog:write"
        question={`${countOf(prices.length, 'price')} changed by ${percent} percent, as the list shows. Carts and orders keep the prices of the items that they contain.`}
        confirm={`Change ${countOf(prices.length, 'price')}`}
        done={`${countOf(prices.length, 'price')} changed.`}
        act={async (key) => {
          await unwrap(store.POST('/api/v1/bulk/prices', { headers: once(key), body: { rows: prices } }));
          changed();
        }}
      />
    </div>
  );
}
