import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type Product } from 'store-api-client';
import { describeError, OwnRefusal } from '../../shared/messages';
import { useMay } from '../access';
import { send, store } from '../office';
import { Act, once } from '../parts/act';
import { announce } from '../parts/announce';
import { Drop } from '../parts/drop';
import { listChanged, textOf, type FieldSpec } from '../parts/fields';

type Picture = Product['master']['images'][number];

/** The pictures of a product and of its variants: adding, describing, deleting, and ordering them by drag or by buttons. */
export function Pictures({ product }: { product: Product }) {
  const may = useMay();
  const client = useQueryClient();
  const reread = () => client.invalidateQueries();
  const [dragged, setDragged] = useState<Picture | null>(null);
  const move = useMutation({
    mutationFn: ({ picture, position }: { picture: Picture; position: number }) =>
      unwrap(
        store.PUT('/api/v1/products/{product_id}/images/{id}', {
          params: { path: { product_id: String(product.id), id: picture.id } },
          body: { image: { position } },
        }),
      ),
    onSuccess: (_reply, { position }) => announce(`The picture is now number ${position}.`),
    onSettled: reread,
  });
  const own = product.master.images;
  const ofVariants = product.variants.flatMap((variant) =>
    variant.images.map((picture) => ({ picture, of: variant.options_text })),
  );
  return (
    <section class="box">
      <h2>Pictures</h2>
      {own.length === 0 && ofVariants.length === 0 && <p class="quiet">None</p>}
      <ol class="pictures">
        {own.map((picture, index) => (
          <li
            key={picture.id}
            draggable={may('catalog:write')}
            class={dragged?.id === picture.id ? 'is-dragged' : ''}
            onDragStart={() => setDragged(picture)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null && dragged.id !== picture.id)
                move.mutate({ picture: dragged, position: picture.position });
            }}
          >
            <img src={picture.product_url} alt={picture.alt ?? ''} width="120" height="120" />
            <div class="picture-buttons">
              {[
                { name: 'Move left', text: '←', to: own[index - 1] },
                { name: 'Move right', text: '→', to: own[index + 1] },
              ].map(
                ({ name, text, to }) =>
                  may('catalog:write') && (
                    <button
                      key={name}
                      type="button"
                      class="link"
                      aria-label={`${name}: picture ${index + 1}`}
                      disabled={to === undefined || move.isPending}
                      onClick={() => to !== undefined && move.mutate({ picture, position: to.position })}
                    >
                      {text}
                    </button>
                  ),
              )}
              <PictureButtons product={product} picture={picture} name={`picture ${index + 1}`} />
            </div>
          </li>
        ))}
      </ol>
      {ofVariants.length > 0 && (
        <>
          <h3>Of variants</h3>
          <ul class="pictures">
            {ofVariants.map(({ picture, of }) => (
              <li key={picture.id}>
                <img
                  src={picture.product_url}
                  alt={picture.alt ?? ''}
                  width="120"
                  height="120"
                  loading="lazy"
                />
                <span class="quiet">{of}</span>
                <div class="picture-buttons">
                  <PictureButtons product={product} picture={picture} name={`the picture of ${of}`} />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {move.isError && (
        <p class="field-error" role="alert">
          {describeError(move.error)}
        </p>
      )}
      {may('catalog:write') && <Upload product={product} reread={reread} />}
    </section>
  );
}

function Upload({ product: { id }, reread }: { product: Product; reread: () => unknown }) {
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const refusals: string[] = [];
      for (const file of files) {
        const body = new FormData();
        body.set('image[attachment]', file);
        try {
          await send('POST', `/api/v1/products/${id}/images`, body);
        } catch (error) {
          refusals.push(`${file.name}: ${describeError(error)}`);
        }
      }
      if (refusals.length === 0) return;
      const others = files.length === refusals.length ? [] : ['The others are added.'];
      throw new OwnRefusal([...refusals, ...others].join(' '));
    },
    onSuccess: (_reply, files) =>
      announce(files.length === 1 ? 'The picture is added.' : 'The pictures are added.'),
    onSettled: reread,
  });
  return <Drop name="Add pictures, or drop them here" isMultiple upload={upload} />;
}

interface PictureButtonsProps {
  product: Product;
  picture: Picture;
  name: string;
}

/** Whether a picture shows all variants, or only one: shoppers see it when they choose that one. */
const shownVariantOf = ({ master, variants }: Product): FieldSpec => ({
  name: 'viewable_id',
  label: 'Shows',
  kind: 'choice',
  isRequired: true,
  choices: [
    { value: String(master.id), name: 'The product' },
    ...variants.map(({ id, options_text }) => ({ value: String(id), name: options_text })),
  ],
});

function PictureButtons({ product, picture: { id, alt, viewable_id }, name }: PictureButtonsProps) {
  const params = { path: { product_id: String(product.id), id } };
  return (
    <>
      <Act
        name="Edit"
        of={name}
        isLink
        scope="catalog:write"
        question="The description is read to those who do not see the picture."
        confirm="Save"
        done="The picture is saved."
        fields={[
          { name: 'alt', label: 'Description' },
          ...(product.variants.length === 0 ? [] : [shownVariantOf(product)]),
        ]}
        initial={{ alt: alt ?? '', viewable_id: String(viewable_id) }}
        act={(key, values, opened) =>
          unwrap(
            store.PUT('/api/v1/products/{product_id}/images/{id}', {
              params,
              headers: once(key),
              body: {
                image: Object.fromEntries(
                  listChanged(values, opened).map((field) => [field, textOf(values, field)]),
                ),
              },
            }),
          )
        }
      />
      <Act
        name="Delete"
        of={name}
        isLink
        scope="catalog:write"
        question={`This picture of ${product.name} is deleted, with its files.`}
        confirm="Delete the picture"
        done="The picture is deleted."
        act={(key) =>
          unwrap(store.DELETE('/api/v1/products/{product_id}/images/{id}', { params, headers: once(key) }))
        }
      />
    </>
  );
}
