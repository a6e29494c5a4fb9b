import { Link } from 'wouter-preact';

/** The name of a variant as a link to its product. */
export const VariantLink = ({
  variant,
}: {
  variant: { name: string; slug: string; options_text: string };
}) => (
  <>
    <Link href={`/products/${variant.slug}`}>{variant.name}</Link>
    <span class="quiet"> {variant.options_text}</span>
  </>
);
