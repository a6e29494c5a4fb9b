import type { PaymentMethodSettings, ReturnAuthorizationReason } from 'store-api-client';
import { isOn, optional, textOf, wholeOf, type Values } from '../parts/fields';
import { requestsOf } from '../parts/requests';
import { ResourcePage } from '../parts/resource';
import { SHOWN_TO } from './shown-to';

const PROVIDERS: Readonly<Record<string, string>> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  check: 'None: paid by check or transfer',
  bogus: 'Test cards',
};

/** Payments are captured as the settings of the store say. */
const AS_STORE = 'As the store does';

/** Reads credentials, one in a line as `name=value`; undefined if none are given, which keeps the stored ones. */
function readPreferences(text: string): Record<string, string> | undefined {
  const preferences: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [name = '', ...value] = line.split('=');
    if (value.length > 0) preferences[name.trim()] = value.join('=').trim();
  }
  return Object.keys(preferences).length === 0 ? undefined : preferences;
}

/** How buyers can pay. */
export function PaymentMethods() {
  const body = (values: Values) => {
    const preferences = readPreferences(textOf(values, 'preferences'));
    const capture = textOf(values, 'auto_capture');
    return {
      payment_method: {
        name: textOf(values, 'name'),
        description: optional(values, 'description'),
        gateway: textOf(values, 'gateway'),
        active: isOn(values, 'active'),
        display_on: SHOWN_TO.read(values),
        auto_capture: capture === '' ? null : capture === 'yes',
        position: wholeOf(values, 'position'),
        ...(preferences !== undefined && { preferences }),
      },
    };
  };
  return (
    <ResourcePage<PaymentMethodSettings>
      title="Payment methods"
      one="payment method"
      path="/settings/payment-methods"
      scope="settings:write"
      removal="Buyers can no longer choose it; payments made with it can still be captured and refunded."
      nameOf={({ name }) => name}
      columns={[
        { name: 'Provider', cell: ({ gateway }) => PROVIDERS[gateway] ?? gateway },
        { name: 'Active', cell: ({ active }) => (active ? 'Yes' : 'No') },
        SHOWN_TO.column,
        {
          name: 'Captures',
          cell: ({ auto_capture }) =>
            auto_capture === null ? AS_STORE : auto_capture ? 'At once' : 'By hand',
        },
        { name: 'Credentials', cell: ({ has_preferences }) => (has_preferences ? 'Set' : 'None') },
      ]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'description', label: 'Description' },
        {
          name: 'gateway',
          label: 'Provider',
          kind: 'choice',
          isRequired: true,
          choices: Object.entries(PROVIDERS).map(([value, name]) => ({ value, name })),
        },
        {
          name: 'preferences',
          label: 'Credentials',
          kind: 'long',
          hint: 'One in a line, such as secret_key=sk_…. They are never shown again; empty keeps those that are set.',
        },
        { name: 'active', label: 'Active', kind: 'check' },
        SHOWN_TO.field,
        {
          name: 'auto_capture',
          label: 'Captures',
          kind: 'choice',
          choices: [
            { value: 'yes', name: 'At once' },
            { value: 'no', name: 'By hand' },
          ],
          none: AS_STORE,
        },
        { name: 'position', label: 'Position', kind: 'whole' },
      ]}
      toValues={(method) => ({
        name: method?.name ?? '',
        description: method?.description ?? '',
        gateway: method?.gateway ?? '',
        active: method?.active ?? true,
        display_on: method?.display_on ?? 'both',
        position: String(method?.position ?? ''),
        auto_capture: method?.auto_capture == null ? '' : method.auto_capture ? 'yes' : 'no',
      })}
      {...requestsOf('/api/v1/payment_methods', body)}
    />
  );
}

/** Why customers return items. */
export function ReturnReasons() {
  const body = (values: Values) => ({
    return_authorization_reason: { name: textOf(values, 'name'), active: isOn(values, 'active') },
  });
  return (
    <ResourcePage<ReturnAuthorizationReason>
      title="Return reasons"
      one="reason"
      path="/settings/return-reasons"
      scope="settings:write"
      nameOf={({ name }) => name}
      columns={[{ name: 'Active', cell: ({ active }) => (active ? 'Yes' : 'No') }]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'active', label: 'Can be chosen', kind: 'check' },
      ]}
      toValues={(reason) => ({ name: reason?.name ?? '', active: reason?.active ?? true })}
      {...requestsOf('/api/v1/return_authorization_reasons', body)}
    />
  );
}
