import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import type { Product } from 'store-api-client';
import { useSearch } from 'wouter-preact';
import { wayTo } from '../categories';
import { readFilters } from '../filters';
import { useHead } from '../head';
import { AddToCart } from '../parts/add-to-cart';
import { Breadcrumbs, crumbFacts } from '../parts/breadcrumbs';
import { Gallery } from '../parts/gallery';
import { Failure, Loading } from '../parts/loading';
import { ProductGrid, priceOf } from '../parts/product-card';
import { EqualVariants, VariantChoice } from '../parts/variant-choice';
import { factsOf, picturesOf } from '../product-facts';
import { isMissing, productQuery, relatedQuery, settingsQuery } from '../queries';
import { useShop } from '../shop';
import { choose, findVariant, findVariants, firstChoice, type Choice } from '../variants';
import { NotFound } from './not-found';

export function ProductPage({ slug }: { slug: string }) {
  const shop = useShop();
  const { data: product, error, refetch } = useQuery(productQuery(shop, slug));
  if (error !== null) return isMissing(error) ? <NotFound /> : <Failure retry={refetch} />;
  if (product === undefined) return <Loading />;
  return <LoadedProduct product={product} />;
}

function LoadedProduct({ product }: { product: Product }) {
  const shop = useShop();
  const { data: settings } = useQuery(settingsQuery(shop));
  const { options } = readFilters(new URLSearchParams(useSearch()));
  const { data: related = [] } = useQuery(relatedQuery(shop, product));
  const [choice, setChoice] = useState<Choice>(() => firstChoice(product, options));
  const [picked, pick] = useState<number>();
  const variant = product.has_variants ? findVariant(product.variants, choice, picked) : product.master;
  const alike = findVariants(product.variants, choice);
  const crumbs = [
    { name: settings?.name ?? 'Shop', href: '/' },
    ...wayTo(product).map(({ name, permalink }) => ({ name, href: `/c/${permalink}` })),
  ];
  useHead({
    title: [product.meta_title ?? product.name, settings?.name].filter(Boolean).join(' – '),
    description: product.meta_description ?? product.description?.slice(0, 160) ?? undefined,
    canonical: `/products/${product.slug}`,
    facts: [
      factsOf(product, { origin: shop.baseUrl, currency: settings?.currency ?? 'USD' }),
      crumbFacts(crumbs, shop.baseUrl),
    ],
  });
  const images = picturesOf(product, variant);
  return (
    <div class="page">
      <Breadcrumbs crumbs={crumbs} />
      <div class="product">
        <Gallery key={images[0]?.id} images={images} name={product.name} />
        <div class="product-facts">
          <h1>{product.name}</h1>
          <p class="product-price" aria-live="polite">
            {variant === undefined ? priceOf(product) : variant.display_price}
          </p>
          {product.has_variants && (
            <VariantChoice
              product={product}
              choice={choice}
              onChoose={(typeId, valueId) => setChoice(choose(product.variants, choice, typeId, valueId))}
            />
          )}
          {alike.length > 1 && <EqualVariants variants={alike} chosen={variant} onPick={pick} />}
          <AddToCart variant={variant} />
          {product.description !== null && <p class="description">{product.description}</p>}
          {product.product_properties.length > 0 && (
            <dl class="properties">
              {product.product_properties.map(({ id, property_name, value }) => (
                <div key={id}>
                  <dt>{capitalize(property_name)}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
          {(variant?.sku ?? '') !== '' && <p class="sku">Item no. {variant?.sku}</p>}
        </div>
      </div>
      {related.length > 0 && (
        <section class="row">
          <h2>You may also like</h2>
          <ProductGrid products={related} />
        </section>
      )}
    </div>
  );
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
