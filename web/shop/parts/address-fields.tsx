import { useQuery } from '@tanstack/preact-query';
import type { AddressForm } from '../address';
import { countriesQuery, statesQuery } from '../queries';
import { useShop } from '../shop';
import { ChoiceField, Field } from '../../shared/field';

interface AddressFieldsProps {
  value: AddressForm;
  /** Messages by attribute, without the name of the address. */
  errors: Readonly<Record<string, string>>;
  /** `billing` or `shipping`, for the browser's own memory of addresses. */
  kind: 'billing' | 'shipping';
  onChange: (value: AddressForm) => void;
}

/** The fields of an address. The store lists the countries and states. */
export function AddressFields({ value, errors, kind, onChange }: AddressFieldsProps) {
  const shop = useShop();
  const { data: countries = [] } = useQuery(countriesQuery(shop));
  const { data: states = [] } = useQuery(statesQuery(shop, value.countryId));
  const text = (
    name: Exclude<keyof AddressForm, 'countryId' | 'stateId'>,
    label: string,
    auto: string,
    required = true,
  ) => (
    <Field
      label={label}
      value={value[name]}
      required={required}
      autocomplete={`${kind} ${auto}`}
      maxLength={255}
      error={errors[name]}
      onText={(input) => onChange({ ...value, [name]: input })}
    />
  );
  return (
    <div class="fields">
      <ChoiceField
        label="Country"
        value={String(value.countryId)}
        error={errors['country'] ?? errors['country_id']}
        autocomplete={`${kind} country`}
        onChoose={(id) => onChange({ ...value, countryId: Number(id), stateId: 0, stateName: '' })}
      >
        {value.countryId === 0 && <option value="0">Choose…</option>}
        {countries.map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
      </ChoiceField>
      <div class="field-pair">
        {text('firstname', 'First name', 'given-name')}
        {text('lastname', 'Last name', 'family-name')}
      </div>
      {text('company', 'Company (optional)', 'organization', false)}
      {text('address1', 'Street and number', 'address-line1')}
      {text('address2', 'Address, second line (optional)', 'address-line2', false)}
      <div class="field-pair">
        {text('zipcode', 'Postal code', 'postal-code', false)}
        {text('city', 'City', 'address-level2')}
      </div>
      {states.length > 0 && (
        <ChoiceField
          label="State or region"
          value={String(value.stateId)}
          error={errors['state'] ?? errors['state_id'] ?? errors['state_name']}
          autocomplete={`${kind} address-level1`}
          onChoose={(id) => onChange({ ...value, stateId: Number(id) })}
        >
          <option value="0">Choose…</option>
          {states.map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {name}
            </option>
          ))}
        </ChoiceField>
      )}
      {text('phone', 'Phone', 'tel')}
    </div>
  );
}
