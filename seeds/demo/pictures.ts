import { COLORS } from './drawings/colors';
import type { Picture } from './drawings/draw-product-image';
import { CATALOGUE } from './products/catalogue';
import type { ProductContent } from './products/product-content';
import { toSlug } from '../../src/platform/slug';
import { planVariants, type VariantPlan } from './variants';

/** As much of a variant as its pictures depend on. */
type PicturedVariant = Pick<VariantPlan, 'is_master' | 'color'> & { readonly product: ProductContent };

/** One image of one variant: what it shows, and how the shop describes it. */
export interface PlannedImage<Variant> {
  readonly variant: Variant;
  /** 1-based within the variant. */
  readonly position: number;
  readonly alt: string;
  readonly file_name: string;
  readonly picture: Picture;
  /** Names what is drawn: equal pictures have one key, however many variants show them. */
  readonly key: string;
}

/**
 * A master shows the whole, and where it does not come in several colours a detail too; a variant that comes in a colour
 * shows the whole in that colour.
 */
export function planImages<Variant extends PicturedVariant>(
  variants: readonly Variant[],
): PlannedImage<Variant>[] {
  return variants.flatMap((variant) => {
    const isColored = variant.product.options?.['goods-color'] !== undefined;
    if (!variant.is_master) return isColored ? [planImage(variant, 'front', 1)] : [];
    const front = planImage(variant, 'front', 1);
    return isColored ? [front] : [front, planImage(variant, 'detail', 2)];
  });
}

/** Every picture the catalogue needs, each once, by its key. */
export function plannedPictures(): Map<string, Picture> {
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
  const named = `${product.name} in ${COLORS[color].presentation}`;
  return {
    variant,
    position,
    alt: view === 'front' ? named : `${named}, detail`,
    file_name: `${toSlug(product.name)}-${color}${view === 'front' ? '' : '-detail'}.jpg`,
    picture: { drawing, color, view },
    key: `${drawing}-${color}-${view}`,
  };
}
