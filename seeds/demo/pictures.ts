import { COLORS } from './drawings/colors';
import type { Picture } from './drawings/draw-product-image';
import { CATALOGUE } from './products/catalogue';
import type { ProductContent } from './products/product-content';
import { toSlug } from '../../src/platform/slug';
import { planVariants, type VariantPlan } from './variants';

/** The parts of a variant that determine its images. */
type PicturedVariant = Pick<VariantPlan, 'is_master' | 'color'> & { readonly product: ProductContent };

/** One image of one variant. */
export interface PlannedImage<Variant> {
  readonly variant: Variant;
  /** 1-based within the variant. */
  readonly position: number;
  readonly alt: string;
  readonly file_name: string;
  readonly picture: Picture;
  /** Identifies the drawing: equal pictures have the same key. */
  readonly key: string;
}

/**
 * Plans the images of all variants. A master has a front view and, if the product has no color option, a detail view.
 * Other variants have a front view in their color if the product has a color option.
 */
export function planImages<Variant extends PicturedVariant>(
  variants: readonly Variant[],
): PlannedImage<Variant>[] {
  return variants.flatMap((variant) => {
    const isColored = variant.product.options?.color !== undefined;
    if (!variant.is_master) return isColored ? [planImage(variant, 'front', 1)] : [];
    const front = planImage(variant, 'front', 1);
    return isColored ? [front] : [front, planImage(variant, 'detail', 2)];
  });
}

/** Plans all distinct pictures of the catalog, by key. */
export function planPictures(): Map<string, Picture> {
  const variants = CATALOGUE.flatMap((product) =>
    planVariants(product).map((plan) => ({ ...plan, product })),
  );
  return new Map(planImages(variants).map(({ key, picture }) => [key, picture]));
}

function planImage<Variant extends PicturedVariant>(
  variant: Variant,
  view: Picture['view'],
  position: number,
): PlannedImage<Variant> {
  const { product, color } = variant;
  const { drawing } = product;
  const title = `${product.name} in ${COLORS[color].presentation}`;
  return {
    variant,
    position,
    alt: view === 'front' ? title : `${title}, detail`,
    file_name: `${toSlug(product.name)}-${color}${view === 'front' ? '' : '-detail'}.jpg`,
    picture: { drawing, color, view },
    key: `${drawing}-${color}-${view}`,
  };
}
