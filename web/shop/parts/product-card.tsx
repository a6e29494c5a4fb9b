import { Link } from 'wouter-preact';
import type { ListedProduct } from '../queries';
import { Picture } from './picture';

const SIZES = '(min-width: 1100px) 260px, (min-width: 640px) 30vw, 46vw';

export const priceOf = ({
  price_range: { display_min, display_max },
}: Pick<ListedProduct, 'price_range'>): string =>
  display_min === display_max ? (display_min ?? '') : `${display_min} – ${display_max}`;

/** The picture that stands for a product. */
export const pictureOf = ({ master, variants }: Pick<ListedProduct, 'master' | 'variants'>) =>
  [...master.images, ...variants.flatMap(({ images }) => images)][0];

/** A product in a list: its picture, name and price. */
export function ProductCard({ product, isFirst }: { product: ListedProduct; isFirst: boolean }) {
  const { name, slug, in_stock } = product;
  return (
    <li class="card">
      <Link href={`/products/${slug}`}>
        <Picture image={pictureOf(product)} name={name} sizes={SIZES} isFirst={isFirst} />
        <span class="card-name">{name}</span>
        <span class="card-price">
          {priceOf(product)}
          {!in_stock && <span class="card-out">Sold out</span>}
        </span>
      </Link>
    </li>
  );
}

export const ProductGrid = ({
  products,
  firsts = 0,
}: {
  products: readonly ListedProduct[];
  firsts?: number;
}) => (
  <ul class="grid">
    {products.map((product, index) => (
      <ProductCard key={product.id} product={product} isFirst={index < firsts} />
    ))}
  </ul>
);
