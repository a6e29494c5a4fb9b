import type { Product, Variant } from 'store-api-client';
import { element } from './elements';

/** Renders a product with a choice for each of its option types; the button adds the chosen variant. */
export function renderProduct(product: Product, add: (variantId: number) => void): Node[] {
  const chosen = new Map<string, string>();
  const price = element('p', { id: 'price' }, product.display_price ?? '');
  const button = element('button', { id: 'add', type: 'button' }, 'Add to cart');

  const findVariant = (): Variant | undefined => {
    if (!product.has_variants) return product.master;
    if (chosen.size < product.option_types.length) return undefined;
    return product.variants.find((variant) =>
      variant.option_values.every(
        ({ option_type_name, name }) => chosen.get(option_type_name ?? '') === name,
      ),
    );
  };
  const update = (): void => {
    const variant = findVariant();
    button.disabled = variant?.is_orderable !== true;
    if (variant !== undefined) price.textContent = variant.display_price ?? '';
  };
  button.addEventListener('click', () => {
    const variant = findVariant();
    if (variant !== undefined) add(variant.id);
  });

  const choices = product.option_types.map((type) => {
    const select = element(
      'select',
      { name: type.name },
      element('option', { value: '' }, type.presentation),
    );
    for (const { name, presentation } of type.option_values)
      select.append(element('option', { value: name }, presentation));
    select.addEventListener('change', () => {
      if (select.value === '') chosen.delete(type.name);
      else chosen.set(type.name, select.value);
      update();
    });
    return select;
  });
  update();
  return [element('h1', {}, product.name), price, ...choices, button];
}
