import { Link } from 'wouter-preact';
import { useMay } from '../access';

/** The name of a variant, as a link to its product for staff that may see it. */
export function VariantLink({ variant }: { variant: { name: string; slug: string; options_text: string } }) {
  const may = useMay();
  return (
    <>
      {may('catalog:read') ? <Link href={`/products/${variant.slug}`}>{variant.name}</Link> : variant.name}
      <span class="quiet"> {variant.options_text}</span>
    </>
  );
}
