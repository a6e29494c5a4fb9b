import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { StoreError, unwrap, type Product, type Variant } from 'store-api-client';
import { Link } from 'wouter-preact';
import { readMessages } from '../../shared/messages';
import { Field } from '../../shared/field';
import { store } from '../office';
import { describe } from '../parts/act';
import { Loaded } from '../parts/loaded';

const CHANGED =
  'Someone else has changed this product meanwhile. It was read again; check it and save again.';

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

function Texts({ product, version, reread }: TextsProps) {
  const client = useQueryClient();
  const [form, setForm] = useState(() => textsOf(product));
  useEffect(() => setForm(textsOf(product)), [version]);
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
          {isChanged ? CHANGED : describe(save.error)}
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

function Variants({ product, reread }: { product: Product; reread: () => unknown }) {
  const variants = product.has_variants ? product.variants : [product.master];
  return (
    <section class="box">
      <h2>Prices</h2>
      <div class="table-box">
        <table>
          <thead>
            <tr>
              <th scope="col">Variant</th>
              <th scope="col">SKU</th>
              <th scope="col" class="number">
                On hand
              </th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {variants.map((variant) => (
              <VariantRow
                key={`${variant.id}-${variant.price ?? ''}`}
                product={product}
                variant={variant}
                reread={reread}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function VariantRow({
  product,
  variant,
  reread,
}: {
  product: Product;
  variant: Variant;
  reread: () => unknown;
}) {
  const [price, setPrice] = useState(variant.price ?? '');
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        store.PUT('/api/v1/products/{product_id}/variants/{id}', {
          params: { path: { product_id: product.id, id: variant.id } },
          body: { variant: { price } },
        }),
      ),
    onSuccess: reread,
  });
  return (
    <tr>
      <th scope="row">{variant.options_text === '' ? product.name : variant.options_text}</th>
      <td>{variant.sku}</td>
      <td class="number">{variant.total_on_hand ?? '∞'}</td>
      <td>
        <form
          class="cell-form"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate();
          }}
        >
          <input
            aria-label={`Price of ${variant.sku}`}
            inputMode="decimal"
            value={price}
            onInput={(event) => setPrice(event.currentTarget.value)}
          />
          <button class="button-quiet" disabled={save.isPending || price === variant.price}>
            Save<span class="visually-hidden"> the price of {variant.sku}</span>
          </button>
        </form>
        {save.isError && <p class="field-error">{describe(save.error)}</p>}
      </td>
    </tr>
  );
}
