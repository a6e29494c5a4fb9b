import type { OptionType } from 'store-api-client';
import { textOf, type Values } from '../parts/fields';
import { requestsOf } from '../parts/requests';
import { ResourcePage } from '../parts/resource';
import { readOptionLines, writeOptionLines } from '../rules/option-lines';

const FIRST_VALUES = 8;

const listValues = ({ option_values }: OptionType): string => {
  const names = option_values.map(({ presentation }) => presentation);
  const more = names.length - FIRST_VALUES;
  return more > 0 ? `${names.slice(0, FIRST_VALUES).join(', ')} and ${more} more` : names.join(', ');
};

/** What variants differ in, such as size and color, with the values. */
export function OptionTypes() {
  const body = (values: Values, before: OptionType | null) => ({
    option_type: {
      name: textOf(values, 'name'),
      presentation: textOf(values, 'presentation'),
      option_values_attributes: readOptionLines(textOf(values, 'values'), before?.option_values ?? []),
    },
  });
  return (
    <ResourcePage<OptionType>
      title="Option types"
      one="option type"
      path="/settings/option-types"
      scope="catalog:write"
      intro="Products with such options have a variant for each combination that you sell."
      removal="Variants lose its values."
      nameOf={({ name }) => name}
      columns={[
        { name: 'Shown as', cell: ({ presentation }) => presentation },
        { name: 'Values', cell: listValues },
      ]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true, hint: 'For the staff, such as tshirt-size.' },
        { name: 'presentation', label: 'Shown as', isRequired: true, hint: 'Such as Size.' },
        {
          name: 'values',
          label: 'Values',
          kind: 'long',
          hint: 'One in a line, in the order of the shop. After a colon follows what shoppers see, such as navy: Navy blue. Variants lose a value whose name is removed or changed.',
        },
      ]}
      toValues={(type) => ({
        name: type?.name ?? '',
        presentation: type?.presentation ?? '',
        values: writeOptionLines(type?.option_values ?? []),
      })}
      {...requestsOf('/api/v1/option_types', body)}
    />
  );
}
