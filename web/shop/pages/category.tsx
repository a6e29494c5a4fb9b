import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useHead } from '../head';
import { Breadcrumbs, crumbFacts } from '../parts/breadcrumbs';
import { Failure, Loading } from '../parts/loading';
import { ProductList } from '../parts/product-list';
import { isMissing, settingsQuery, taxonQuery } from '../queries';
import { useShop } from '../shop';
import { NotFound } from './not-found';

/** The products of a category and of those below it. */
export function Category({ permalink }: { permalink: string }) {
  const shop = useShop();
  const { data: settings } = useQuery(settingsQuery(shop));
  const path = permalink.replace(/\/$/, '');
  const { data: taxon, error, refetch } = useQuery(taxonQuery(shop, path));
  const crumbs = [
    { name: settings?.name ?? 'Shop', href: '/' },
    ...[...(taxon?.ancestors ?? []).slice(1), ...(taxon === undefined ? [] : [taxon])].map((each) => ({
      name: each.name,
      href: `/c/${each.permalink}`,
    })),
  ];
  const name = taxon?.meta_title ?? taxon?.name ?? '';
  useHead({
    title: [name, settings?.name].filter(Boolean).join(' – '),
    description: taxon?.meta_description ?? `${name} at ${settings?.name ?? 'our shop'}.`,
    canonical: `/c/${path}`,
    facts: [crumbFacts(crumbs, shop.baseUrl)],
  });
  if (error !== null) return isMissing(error) ? <NotFound /> : <Failure retry={refetch} />;
  if (taxon === undefined) return <Loading />;
  return (
    <div class="page">
      <Breadcrumbs crumbs={crumbs.slice(0, -1)} />
      <h1>{taxon.name}</h1>
      {taxon.taxons.length > 0 && (
        <ul class="tiles tiles-small">
          {taxon.taxons.map(({ id, name: child, permalink: below }) => (
            <li key={id}>
              <Link href={`/c/${below}`}>{child}</Link>
            </li>
          ))}
        </ul>
      )}
      <ProductList taxon={path} path={`/c/${path}`} />
    </div>
  );
}
