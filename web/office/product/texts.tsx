import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { StoreError, unwrap, type Product } from 'store-api-client';
import { describeError, readMessages } from '../../shared/messages';
import { Field } from '../../shared/field';
import { useMay } from '../access';
import { store } from '../office';
import { LongField } from '../parts/fields';
import { useUnsaved } from '../parts/unsaved';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';

const CHANGED =
  'Someone else has changed this product. Their changes are now shown; check the texts and save again.';

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

const TEXTS = ['name', 'slug', 'description', 'meta_title', 'meta_description'] as const;

const mergeTexts = (typed: ProductTexts, before: ProductTexts, now: ProductTexts): ProductTexts => ({
  name: now.name === before.name ? typed.name : now.name,
  slug: now.slug === before.slug ? typed.slug : now.slug,
  description: now.description === before.description ? typed.description : now.description,
  meta_title: now.meta_title === before.meta_title ? typed.meta_title : now.meta_title,
  meta_description:
    now.meta_description === before.meta_description ? typed.meta_description : now.meta_description,
});

/** The texts of a product. Saving fails if the product has changed meanwhile. */
export function Texts({ product, version, reread }: TextsProps) {
  const client = useQueryClient();
  const may = useMay();
  const [form, setForm] = useState(() => textsOf(product));
  // Another version replaces what it has changed; other typed texts stay.
  const shown = useRef(textsOf(product));
  useEffect(() => {
    const [before, now] = [shown.current, textsOf(product)];
    shown.current = now;
    setForm((typed) => mergeTexts(typed, before, now));
  }, [version]);
  const saved = textsOf(product);
  useUnsaved(TEXTS.some((name) => form[name].trim() !== saved[name].trim()));
  const save = useOnce({
    mutationFn: () =>
      unwrap(
        store.PUT('/api/v1/products/{id}', {
          params: { path: { id: product.id } },
          headers: { 'If-Match': version },
          body: { product: form },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['/products'] }),
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
      <LongField
        label="Description"
        rows={6}
        value={form.description}
        error={fields['description']}
        onText={(description) => setForm({ ...form, description })}
      />
      {field('meta_title', 'Title for search engines')}
      {field('meta_description', 'Description for search engines')}
      <ErrorNotice error={save.error} text={isChanged ? CHANGED : describeError(save.error, TEXTS)} />
      {save.isSuccess && (
        <p class="notice notice-good" role="status">
          Saved.
        </p>
      )}
      {may('catalog:write') && (
        <div>
          <button class="button" disabled={save.isPending}>
            Save
          </button>
        </div>
      )}
    </form>
  );
}
