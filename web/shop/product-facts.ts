import type { Product, Variant } from 'store-api-client';

/**
 * The pictures of the chosen variant first. Variants often share a file, which is shown once; but cameras give all pictures
 * of one owner the same name.
 */
export function picturesOf({ master, variants }: Product, chosen: Variant | undefined) {
  const seen = new Set<string>();
  return [chosen ?? master, master, ...variants].flatMap(({ images }) => {
    const keyOf = ({ attachment_file_name: file, id }: (typeof images)[number]) => file ?? String(id);
    const added = images.filter((image) => !seen.has(keyOf(image)));
    for (const image of added) seen.add(keyOf(image));
    return added;
  });
}

/** The product for search engines (schema.org). */
export function factsOf(
  { name, description, slug, master, variants, price_range, in_stock, has_variants }: Product,
  { origin, currency }: { origin: string; currency: string },
): object {
  const image = [...master.images, ...variants.flatMap(({ images }) => images)][0]?.xlarge_url;
  const availability = `https://schema.org/${in_stock ? 'InStock' : 'OutOfStock'}`;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    ...((description ?? '') !== '' && { description }),
    ...(master.sku !== '' && { sku: master.sku }),
    ...(image != null && { image: new URL(image, origin).href }),
    offers: has_variants
      ? {
          '@type': 'AggregateOffer',
          priceCurrency: currency,
          availability,
          offerCount: variants.length,
          lowPrice: price_range.min,
          highPrice: price_range.max,
          url: `${origin}/products/${slug}`,
        }
      : {
          '@type': 'Offer',
          priceCurrency: currency,
          availability,
          price: price_range.min,
          url: `${origin}/products/${slug}`,
        },
  };
}
