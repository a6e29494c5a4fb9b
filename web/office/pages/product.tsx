import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { StoreError, unwrap, type Product, type Variant } from 'store-api-client';
import { Link } from 'wouter-preact';
import { describeError, readMessages } from '../../shared/messages';
import { Field } from '../../shared/field';
import { store } from '../office';
import { CellForm } from '../parts/cell-form';
import { Loaded } from '../parts/loaded';
import { Table, type Column } from '../parts/table';

const CHANGED =
  'Someone else has changed this product. Their changes are now shown; check the texts and save again.';

/** A product: its texts, and the prices and SKUs of its variants. */
export function ProductPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['product', id],
    queryFn: async () => {
      const reply = await store.GET('/api/v1/products/{id}', { params: { path: { id } } });
      return {
        product: await unwrap(Promise.resolve(reply)),
        version: reply.response.headers.get('ETag') ?? '*',
      };
    },
    // A form is not replaced while one types.
    staleTime: Infinity,
  });
  return (
    <Loaded query={query}>
      {({ product, version }) => (
        <>
          <p class="crumb">
            <Link href="/products">Products</Link>
          </p>
          <div class="title">
            <h1>{product.name}</h1>
            <a href={`/products/${product.slug}`}>In the shop</a>
          </div>
          <div class="columns">
            <Texts product={product} version={version} reread={query.refetch} />
            <aside>
              <section class="box">
                <h2>Pictures</h2>
                <ul class="pictures">
                  {[...product.master.images, ...product.variants.flatMap(({ images }) => images)]
                    .slice(0, 12)
                    .map(({ id: image, small_url, alt }) => (
                      <li key={image}>
                        <img src={small_url} alt={alt ?? ''} width="72" height="72" />
                      </li>
                    ))}
                </ul>
              </section>
            </aside>
          </div>
          <Variants product={product} reread={query.refetch} />
        </>
      )}
    </Loaded>
  );
}

interface TextsProps {
  product: Product;
  /** The version that the form shows; a newer one is not overwritten. */
  version: string;
  reread: () => unknown;
}

const textsOf = ({ name, slug, description, meta_title, meta_description }: Product) => ({
  name,
  slug,
  description: description ?? '',
  meta_title: meta_title ?? '',
  meta_description: meta_description ?? '',
});

type ProductTexts = ReturnType<typeof textsOf>;

const mergeTexts = (typed: ProductTexts, before: ProductTexts, now: ProductTexts): ProductTexts => ({
  name: now.name === before.name ? typed.name : now.name,
  slug: now.slug === before.slug ? typed.slug : now.slug,
  description: now.description === before.description ? typed.description : now.description,
  meta_title: now.meta_title === before.meta_title ? typed.meta_title : now.meta_title,
  meta_description:
    now.meta_description === before.meta_description ? typed.meta_description : now.meta_description,
});

function Texts({ product, version, reread }: TextsProps) {
  const client = useQueryClient();
  const [form, setForm] = useState(() => textsOf(product));
  // Another version replaces what it has changed; other typed texts stay.
  const shown = useRef(textsOf(product));
  useEffect(() => {
    const [before, now] = [shown.current, textsOf(product)];
    shown.current = now;
    setForm((typed) => mergeTexts(typed, before, now));
  }, [version]);
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        store.PUT('/api/v1/products/{id}', {
          params: { path: { id: product.id } },
          headers: { 'If-Match': version },
          body: { product: form },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['products'] }),
    onSettled: reread,
  });
  const fields: Readonly<Record<string, string>> = save.isError ? readMessages(save.error).fields : {};
  const isChanged = save.error instanceof StoreError && save.error.status === 412;
  const field = (name: keyof typeof form, label: string) => (
    <Field
      label={label}
      value={form[name]}
      maxLength={255}
      error={fields[name]}
      onText={(text) => setForm({ ...form, [name]: text })}
    />
  );
  return (
    <form
      class="box fields"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {field('name', 'Name')}
      {field('slug', 'Address in the shop')}
      <label class="field">
        Description
        <textarea
          rows={6}
          value={form.description}
          onInput={(event) => setForm({ ...form, description: event.currentTarget.value })}
        />
      </label>
      {field('meta_title', 'Title for search engines')}
      {field('meta_description', 'Description for search engines')}
      {save.isError && (
        <p class="notice notice-bad" role="alert">
          {isChanged ? CHANGED : describeError(save.error)}
        </p>
      )}
      {save.isSuccess && (
        <p class="notice notice-good" role="status">
          Saved.
        </p>
      )}
      <div>
        <button class="button" disabled={save.isPending}>
          Save
        </button>
      </div>
    </form>
  );
}

const VARIANT_COLUMNS: readonly Column[] = [
  ...[{ name: 'Variant' }, { name: 'SKU' }, { name: 'On hand', isNumber: true }, { name: 'Price' }],
];

function Variants({ product, reread }: { product: Product; reread: () => unknown }) {
  const variants = product.has_variants ? product.variants : [product.master];
  return (
    <section class="box">
      <h2>Prices</h2>
      <Table columns={VARIANT_COLUMNS}>
        {variants.map((variant) => (
          <VariantRow key={variant.id} product={product} variant={variant} reread={reread} />
        ))}
      </Table>
    </section>
  );
}

interface VariantRowProps {
  product: Product;
  variant: Variant;
  reread: () => unknown;
}

function VariantRow({ product, variant, reread }: VariantRowProps) {
  const { id, sku, options_text, total_on_hand } = variant;
  const stored = variant.price ?? '';
  const save = (price: string): Promise<unknown> =>
    unwrap(
      store.PUT('/api/v1/products/{product_id}/variants/{id}', {
        params: { path: { product_id: product.id, id } },
        body: { variant: { price } },
      }),
    );
  return (
    <tr>
      <th scope="row">{options_text === '' ? product.name : options_text}</th>
      <td>{sku}</td>
      <td class="number">{total_on_hand ?? '∞'}</td>
      <CellForm
        key={stored}
        value={stored}
        name={`Price of ${sku}`}
        input={{ inputMode: 'decimal' }}
        save={save}
        reread={reread}
      />
    </tr>
  );
}
