import { unwrap, type Product, type Variant } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useMay } from '../access';
import { useCurrency } from '../currency';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { CellForm } from '../parts/cell-form';
import { DECIMAL_INPUT, listChanged, optional, type FieldSpec } from '../parts/fields';
import { unwrapVersioned, type Versioned } from '../parts/requests';
import { Table, type Column } from '../parts/table';
import { writeAmount } from '../rules/amounts';
import { Options } from './options';

const FIELDS: readonly FieldSpec[] = [
  { name: 'sku', label: 'SKU' },
  { name: 'barcode', label: 'Barcode' },
  { name: 'cost_price', label: 'Cost price', kind: 'amount' },
  { name: 'weight', label: 'Weight', kind: 'amount' },
  { name: 'height', label: 'Height', kind: 'amount' },
  { name: 'width', label: 'Width', kind: 'amount' },
  { name: 'depth', label: 'Depth', kind: 'amount' },
];

/** The variants of a product, with their prices and stock. */
export function Variants({ product }: { product: Product }) {
  const may = useMay();
  const nameOf = ({ options_text }: Variant): string => (options_text === '' ? product.name : options_text);
  const columns: readonly Column<Variant>[] = [
    { name: 'Variant', cell: nameOf },
    { name: 'SKU', cell: ({ sku }) => sku },
    {
      name: 'On hand',
      isNumber: true,
      cell: ({ sku, total_on_hand }) =>
        total_on_hand !== null && may('stock:read') ? (
          <Link
            href={`/stock?search=${encodeURIComponent(sku || product.name)}`}
            aria-label={`${total_on_hand} on hand: stock`}
          >
            {total_on_hand}
          </Link>
        ) : (
          (total_on_hand ?? '∞')
        ),
    },
    {
      name: 'Price',
      isNumber: !may('catalog:write'),
      cell: (variant) =>
        may('catalog:write') ? <PriceForm variant={variant} name={nameOf(variant)} /> : variant.display_price,
    },
    {
      name: 'Actions',
      scope: 'catalog:write',
      cell: (variant) => (
        <div class="row-buttons">
          <EditVariant variant={variant} name={nameOf(variant)} />
          {!variant.is_master && <DeleteVariant variant={variant} name={nameOf(variant)} />}
        </div>
      ),
    },
  ];
  return (
    <section class="box">
      <h2>Variants and prices</h2>
      <Table
        name="Variants"
        columns={columns}
        rows={product.has_variants ? product.variants : [product.master]}
        keyOf={({ id }) => id}
      />
      <Options product={product} />
    </section>
  );
}

function PriceForm({ variant: { id, product_id, sku, price }, name }: { variant: Variant; name: string }) {
  const currency = useCurrency();
  const stored = writeAmount(price ?? '', currency);
  const params = { path: { product_id: String(product_id), id } };
  const read = async (): Promise<Versioned<string>> => {
    const { record, version } = await unwrapVersioned(
      store.GET('/api/v1/products/{product_id}/variants/{id}', { params }),
    );
    return { record: writeAmount(record.price ?? '', currency), version };
  };
  const save = async (typed: string, version: string): Promise<string> => {
    const saved = await unwrap(
      store.PUT('/api/v1/products/{product_id}/variants/{id}', {
        params,
        headers: { 'If-Match': version },
        body: { variant: { price: typed } },
      }),
    );
    return writeAmount(saved.price ?? '', currency);
  };
  return (
    <CellForm
      key={stored}
      value={stored}
      name={`Price of ${sku || name}`}
      input={DECIMAL_INPUT}
      read={read}
      save={save}
      cause="someone else has changed it"
      stale={['product']}
    />
  );
}

function EditVariant({ variant, name }: { variant: Variant; name: string }) {
  const { id, product_id, cost_price } = variant;
  const currency = useCurrency();
  return (
    <Act
      name="Edit"
      of={name}
      isLink
      scope="catalog:write"
      question="Sizes and weight are used for the freight, the cost price for reports."
      confirm="Save"
      done={`${name} is saved.`}
      fields={FIELDS}
      initial={{
        ...Object.fromEntries(
          FIELDS.map((field) => {
            const value: unknown = variant[field.name as keyof Variant]; // FIELDS names attributes of variants.
            return [field.name, typeof value === 'string' ? value : ''];
          }),
        ),
        cost_price: writeAmount(cost_price ?? '', currency),
      }}
      act={(key, values, opened) =>
        unwrap(
          store.PUT('/api/v1/products/{product_id}/variants/{id}', {
            params: { path: { product_id: String(product_id), id } },
            headers: once(key),
            body: {
              variant: Object.fromEntries(
                listChanged(values, opened).map((field) => [field, optional(values, field)]),
              ),
            },
          }),
        )
      }
    />
  );
}

function DeleteVariant({ variant: { id, product_id, sku }, name }: { variant: Variant; name: string }) {
  return (
    <Act
      name="Delete"
      of={name}
      isLink
      scope="catalog:write"
      question={`The variant ${name} (${sku}) and its stock are deleted. Orders that contain it keep it.`}
      confirm="Delete the variant"
      done={`${name} is deleted.`}
      act={(key) =>
        unwrap(
          store.DELETE('/api/v1/products/{product_id}/variants/{id}', {
            params: { path: { product_id: String(product_id), id } },
            headers: once(key),
          }),
        )
      }
    />
  );
}
