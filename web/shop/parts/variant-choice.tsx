import type { Product } from 'store-api-client';
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
