import { Link } from 'wouter-preact';
import { writeOptions, type Filters } from '../filters';
import type { ListedProduct } from '../queries';
import { hasValues } from '../variants';
import { Picture } from './picture';

const SIZES = '(min-width: 1100px) 260px, (min-width: 640px) 30vw, 46vw';

export const priceOf = ({
  price_range: { display_min, display_max },
}: Pick<ListedProduct, 'price_range'>): string =>
  display_min === display_max ? (display_min ?? '') : `${display_min} – ${display_max}`;

/** The picture that stands for a product, if possible of a variant with these values. */
export const pictureOf = (
  { master, variants }: Pick<ListedProduct, 'master' | 'variants'>,
  options: Filters['options'] = {},
) => {
  const isChosen = Object.keys(options).length > 0;
  const chosen = isChosen ? variants.filter((variant) => hasValues(variant, options)) : [];
  return [
    ...chosen.flatMap(({ images }) => images),
    ...master.images,
    ...variants.flatMap(({ images }) => images),
  ][0];
};

interface ProductCardProps {
  product: ListedProduct;
  isFirst: boolean;
  /** The values that the list is filtered by. */
  options: Filters['options'];
}

/** A product in a list: its picture, name and price. */
function ProductCard({ product, isFirst, options }: ProductCardProps) {
  const { name, slug, in_stock } = product;
  return (
    <li class="card">
      <Link href={`/products/${slug}${writeOptions(options)}`}>
        <Picture image={pictureOf(product, options)} name={name} sizes={SIZES} isFirst={isFirst} />
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
  options = {},
}: {
  products: readonly ListedProduct[];
  firsts?: number;
  options?: Filters['options'];
}) => (
  <ul class="grid">
    {products.map((product, index) => (
      <ProductCard key={product.id} product={product} isFirst={index < firsts} options={options} />
    ))}
  </ul>
);
