import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { store } from '../office';
import { Loaded } from '../parts/loaded';
import { unwrapVersioned } from '../parts/requests';
import { Pictures } from '../product/pictures';
import { Sale } from '../product/sale';
import { Texts } from '../product/texts';
import { Variants } from '../product/variants';

/** A product: its texts, pictures, variants and prices, and whether it is on sale. */
export function ProductPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['product', id],
    queryFn: () => unwrapVersioned(store.GET('/api/v1/products/{id}', { params: { path: { id } } })),
    // A form is not replaced while one types.
    staleTime: Infinity,
  });
  return (
    <Loaded query={query}>
      {({ record: product, version }) => (
        <>
          <p class="crumb">
            <Link href="/products">Products</Link>
          </p>
          <div class="title">
            <h1>{product.name}</h1>
            {product.available_on === null && <span class="mark">Not on sale</span>}
            {product.available_on !== null && <a href={`/products/${product.slug}`}>In the shop</a>}
          </div>
          <div class="columns">
            <div>
              <Texts product={product} version={version} reread={query.refetch} />
              <Pictures product={product} />
            </div>
            <aside>
              <Sale product={product} />
            </aside>
          </div>
          <Variants product={product} />
        </>
      )}
    </Loaded>
  );
}
