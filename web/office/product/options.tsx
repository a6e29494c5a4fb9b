import { useQuery } from '@tanstack/preact-query';
import { unwrap, type OptionType, type Product } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useCurrency } from '../currency';
import { store } from '../office';
import { Act, once, onceAt } from '../parts/act';
import { chosenOf, mergeIds, textOf, type FieldSpec, type Values } from '../parts/fields';
import { unwrapVersioned } from '../parts/requests';
import { optionTypesQuery } from '../queries';
import { writeAmount } from '../rules/amounts';
import { readOptionLines } from '../rules/option-lines';
import { combineValues, skuOf, type GridVariant } from '../rules/variant-grid';
import { countOf } from '../words';

/** More at once are added by an import. */
const AT_ONCE = 200;

/** What the variants of a product differ in, and variants for combinations of it. */
export function Options({ product }: { product: Product }) {
  const { data: types } = useQuery(optionTypesQuery);
  if (types === undefined) return null;
  const own = types.filter(({ id }) => product.option_types.some((type) => type.id === id));
  if (types.length === 0)
    return (
      <p class="quiet">
        For variants, first <Link href="/settings/option-types">add an option type</Link>, such as Size with
        its values.
      </p>
    );
  return (
    <div class="actions">
      <OptionTypes product={product} types={types} />
      {own.length > 0 && <Grid product={product} types={own} />}
    </div>
  );
}

interface OptionsProps {
  product: Product;
  types: readonly OptionType[];
}

function OptionTypes({ product: { id, name, option_types, has_variants }, types }: OptionsProps) {
  const isAlone = ({ presentation }: OptionType): boolean =>
    types.filter((type) => type.presentation === presentation).length === 1;
  return (
    <Act
      name={option_types.length === 0 ? 'Add options' : 'Change the options'}
      scope="catalog:write"
      question={`The variants of ${name} differ in these.${has_variants ? ' Variants keep the values of options that are removed, but the shop no longer offers a choice of them.' : ''}`}
      confirm="Save the options"
      done="The options are saved."
      fields={[
        {
          name: 'option_type_ids',
          label: 'Options',
          kind: 'many',
          choices: types.map((type) => ({
            value: String(type.id),
            name: isAlone(type) ? type.presentation : `${type.presentation} (${type.name})`,
          })),
        },
        { name: 'new', label: 'Another option (optional)', hint: 'Such as Material.' },
        {
          name: 'values',
          label: 'Its values',
          kind: 'long',
          hint: 'One in a line, such as Oak.',
          isShown: (values) => textOf(values, 'new') !== '',
        },
      ]}
      initial={{ option_type_ids: option_types.map((type) => String(type.id)) }}
      act={async (key, values, opened) => {
        const added = await addOptionType(`${key}-option`, values);
        const params = { path: { id: String(id) } };
        const { record, version } = await unwrapVersioned(store.GET('/api/v1/products/{id}', { params }));
        const present = record.option_types.map((type) => type.id);
        await unwrap(
          store.PUT('/api/v1/products/{id}', {
            params,
            headers: onceAt(key, version),
            body: {
              product: {
                option_type_ids: [...mergeIds(present, values, opened, 'option_type_ids'), ...added],
              },
            },
          }),
        );
      }}
    />
  );
}

/** Adds the other option of the form, if there is one. @returns its id, or nothing */
async function addOptionType(key: string, values: Values): Promise<number[]> {
  const name = textOf(values, 'new');
  if (name === '') return [];
  const { id } = await unwrap(
    store.POST('/api/v1/option_types', {
      headers: once(key),
      body: {
        option_type: {
          name,
          presentation: name,
          option_values_attributes: readOptionLines(textOf(values, 'values'), []),
        },
      },
    }),
  );
  return [id];
}

const fieldOf = (typeId: number): string => `option-${typeId}`;

/** Returns the variants of the chosen values that the product does not have yet. */
const planOf = ({ product: { variants }, types }: OptionsProps, values: Values): GridVariant[] =>
  combineValues(
    types.map((type) =>
      type.option_values.filter(({ id }) => chosenOf(values, fieldOf(type.id)).includes(String(id))),
    ),
    variants.map(({ option_values }) => option_values.map(({ id }) => id)),
  );

function Grid(props: OptionsProps) {
  const { product, types } = props;
  const { id, name, master } = product;
  const isCounted = (master.total_on_hand ?? 0) > 0;
  const currency = useCurrency();
  const plan = (values: Values): GridVariant[] => planOf(props, values);
  return (
    <Act
      name="Add variants"
      scope="catalog:write"
      question={`${name} gets a variant for each combination of the chosen values that it lacks. Their stock begins at zero.${isCounted ? ' The stock that it has without variants is removed.' : ''}`}
      confirm={(values) => `Add ${countOf(plan(values).length, 'variant')}`}
      done={(values) => `${countOf(plan(values).length, 'variant')} added.`}
      isReady={(values) => plan(values).length > 0}
      fields={[
        ...types.map((type): FieldSpec => ({
          name: fieldOf(type.id),
          label: type.presentation,
          kind: 'many',
          choices: type.option_values.map((value) => ({
            value: String(value.id),
            name: value.presentation,
          })),
        })),
        { name: 'sku', label: 'SKUs begin with', isRequired: true },
        { name: 'price', label: 'Price', kind: 'amount', isRequired: true },
      ]}
      initial={{
        sku: master.sku ?? '',
        price: writeAmount(master.price ?? '', currency),
      }}
      act={(key, values) =>
        unwrap(
          store.PUT('/api/v1/products/{id}', {
            params: { path: { id: String(id) } },
            headers: once(key),
            body: {
              product: {
                variants: plan(values).map((variant) => ({
                  option_value_ids: variant.option_value_ids,
                  sku: skuOf(textOf(values, 'sku'), variant),
                  price: textOf(values, 'price'),
                })),
              },
            },
          }),
        )
      }
    >
      {(values) =>
        types.some(({ id: type }) => chosenOf(values, fieldOf(type)).length === 0) ? (
          <p class="quiet">Choose at least one value of each option.</p>
        ) : (
          <Plan variants={plan(values)} beginning={textOf(values, 'sku')} />
        )
      }
    </Act>
  );
}

const SHOWN = 6;

function Plan({ variants, beginning }: { variants: readonly GridVariant[]; beginning: string }) {
  if (variants.length === 0) return <p class="quiet">The product has all of these combinations.</p>;
  const skus = variants.slice(0, SHOWN).map((variant) => skuOf(beginning, variant));
  return (
    <p class="quiet">
      {skus.join(', ')}
      {variants.length > SHOWN && ` and ${variants.length - SHOWN} more`}
      {variants.length > AT_ONCE && `. For more than ${AT_ONCE} at once use an import.`}
    </p>
  );
}
