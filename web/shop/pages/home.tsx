import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useHead } from '../head';
import { Failure, Loading } from '../parts/loading';
import { Picture } from '../parts/picture';
import { pictureOf, priceOf, ProductGrid } from '../parts/product-card';
import { rowQuery, settingsQuery, taxonomiesQuery } from '../queries';
import { useShop } from '../shop';

export function Home() {
  const shop = useShop();
  const { data: settings } = useQuery(settingsQuery(shop));
  const { data: taxonomies = [] } = useQuery(taxonomiesQuery(shop));
  const best = useQuery(rowQuery(shop, 'best_selling'));
  const newest = useQuery(rowQuery(shop, 'newest'));
  const name = settings?.name ?? 'Shop';
  useHead({
    title: name,
    description: `${name}: ${taxonomies.flatMap(({ taxons }) => taxons.map((taxon) => taxon.name)).join(', ')}.`,
    canonical: '/',
    facts: [{ '@context': 'https://schema.org', '@type': 'WebSite', name, url: `${shop.baseUrl}/` }],
  });
  // The product that sells best has the front of the shop.
  const [first, ...others] = best.data ?? [];
  const isEmpty = best.data?.length === 0 && newest.data?.length === 0;
  const categories = taxonomies[0]?.taxons ?? [];
  return (
    <div class="page">
      <section class="hero">
        <div>
          <h1>{name}</h1>
          {first !== undefined && (
            <p>
              <Link href={`/products/${first.slug}`}>{first.name}</Link>
              <span>{priceOf(first)}</span>
            </p>
          )}
        </div>
        {first !== undefined && (
          <Picture
            image={pictureOf(first)}
            name={first.name}
            sizes="(min-width: 861px) 380px, 94vw"
            isFirst
          />
        )}
      </section>
      <ul class="tiles">
        {categories.map(({ id, name: category, permalink }) => (
          <li key={id}>
            <Link href={`/c/${permalink}`}>{category}</Link>
          </li>
        ))}
      </ul>
      {[
        { title: 'Best selling', row: best, products: best.data && others, sort: 'best_selling' },
        { title: 'New', row: newest, products: newest.data, sort: 'newest' },
      ]
        .filter(({ products }) => products?.length !== 0)
        .map(({ title, row, products, sort }) => (
          <section key={sort} class="row">
            <h2>
              {title}
              <Link href={`/search?sort=${sort}`}>See all</Link>
            </h2>
            {row.isError ? (
              <Failure retry={row.refetch} />
            ) : row.data === undefined || products === undefined ? (
              <Loading />
            ) : (
              <ProductGrid products={products.slice(0, 8)} />
            )}
          </section>
        ))}
      {isEmpty && <p>There are no products yet.</p>}
    </div>
  );
}
