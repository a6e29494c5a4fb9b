import type { Product, Variant } from 'store-api-client';
import { UNRESTORED } from '../unrestored';
import { isOffered, valuesOf, type Choice } from '../variants';

interface VariantChoiceProps {
  product: Product;
  choice: Choice;
  onChoose: (typeId: number, valueId: number) => void;
}

/** One group of buttons for each option type. Values that are sold out with the other choices are marked. */
export function VariantChoice({ product, choice, onChoose }: VariantChoiceProps) {
  return (
    <>
      {product.option_types.map(({ id: typeId, name, presentation }) => (
        <fieldset key={typeId} class="choice">
          <legend>{presentation}</legend>
          <div class="choice-values">
            {valuesOf(product, typeId).map(({ id, presentation: label }) => {
              const offered = isOffered(product.variants, choice, typeId, id);
              return (
                <label key={id} class={offered ? '' : 'choice-out'}>
                  <input
                    type="radio"
                    name={name}
                    {...UNRESTORED}
                    checked={choice[typeId] === id}
                    onChange={() => onChoose(typeId, id)}
                  />
                  <span>
                    {label}
                    {!offered && <span class="visually-hidden"> (sold out)</span>}
                  </span>
                </label>
              );
            })}
          </div>
        </fieldset>
      ))}
    </>
  );
}

interface EqualVariantsProps {
  variants: readonly Variant[];
  chosen: Variant | undefined;
  onPick: (id: number) => void;
}

/** Buttons for variants that have the same options, told apart by their item numbers. */
export function EqualVariants({ variants, chosen, onPick }: EqualVariantsProps) {
  return (
    <fieldset class="choice">
      <legend>Item no.</legend>
      <div class="choice-values">
        {variants.map(({ id, sku, is_orderable, display_price }) => (
          <label key={id} class={is_orderable ? '' : 'choice-out'}>
            <input
              type="radio"
              name="item"
              {...UNRESTORED}
              checked={id === chosen?.id}
              onChange={() => onPick(id)}
            />
            <span>
              {sku === '' ? id : sku} <small>{display_price}</small>
              {!is_orderable && <span class="visually-hidden"> (sold out)</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
