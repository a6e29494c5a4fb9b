import { Link } from 'wouter-preact';

export interface Crumb {
  name: string;
  href: string;
}

export const Breadcrumbs = ({ crumbs }: { crumbs: readonly Crumb[] }) => (
  <nav class="breadcrumbs" aria-label="Breadcrumbs">
    <ol>
      {crumbs.map(({ name, href }) => (
        <li key={href}>
          <Link href={href}>{name}</Link>
        </li>
      ))}
    </ol>
  </nav>
);

/** The breadcrumbs for search engines. */
export const crumbFacts = (crumbs: readonly Crumb[], origin: string): object => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(({ name, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: origin + href,
  })),
});
