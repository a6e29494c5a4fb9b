import { useSearch } from 'wouter-preact';
import { readFilters } from '../filters';
import { useHead } from '../head';
import { ProductList } from '../parts/product-list';

export function Search() {
  const { search, sort } = readFilters(new URLSearchParams(useSearch()));
  const title =
    search !== ''
      ? `“${search}”`
      : sort === 'best_selling'
        ? 'Best selling'
        : sort === 'newest'
          ? 'New'
          : 'All products';
  useHead({ title, canonical: null });
  return (
    <div class="page">
      <h1>{title}</h1>
      <ProductList taxon={null} path="/search" />
    </div>
  );
}
