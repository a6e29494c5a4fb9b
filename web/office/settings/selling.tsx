import { unwrap, type PaymentMethodSettings, type ReturnAuthorizationReason } from 'store-api-client';
import { store } from '../office';
import { once } from '../parts/act';
import { isOn, optional, textOf, wholeOf, type Values } from '../parts/fields';
import { ResourcePage } from '../parts/resource';

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
        display_on: textOf(values, 'display_on') === 'back_end' ? ('back_end' as const) : ('both' as const),
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
        { name: 'Provider', cell: ({ gateway }) => gateway },
        { name: 'Active', cell: ({ active }) => (active ? 'Yes' : 'No') },
        { name: 'Shown to', cell: ({ display_on }) => (display_on === 'both' ? 'Everyone' : 'Staff') },
        {
          name: 'Captures',
          cell: ({ auto_capture }) =>
            auto_capture === null ? 'As the store does' : auto_capture ? 'At once' : 'By hand',
        },
        { name: 'Credentials', cell: ({ has_preferences }) => (has_preferences ? 'Set' : 'None') },
      ]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'description', label: 'Description' },
        { name: 'gateway', label: 'Provider', isRequired: true, hint: 'Such as stripe, check or bogus.' },
        {
          name: 'preferences',
          label: 'Credentials',
          kind: 'long',
          hint: 'One in a line, such as secret_key=sk_…. They are never shown again; empty keeps those that are set.',
        },
        { name: 'active', label: 'Active', kind: 'check' },
        {
          name: 'display_on',
          label: 'Shown to',
          kind: 'choice',
          isRequired: true,
          choices: [
            { value: 'both', name: 'Everyone' },
            { value: 'back_end', name: 'Staff' },
          ],
        },
        {
          name: 'auto_capture',
          label: 'Captures',
          kind: 'choice',
          choices: [
            { value: 'yes', name: 'At once' },
            { value: 'no', name: 'By hand' },
          ],
          hint: 'None: as the store is set.',
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
      read={async ({ page, perPage, signal }) => {
        const { payment_methods, ...counts } = await unwrap(
          store.GET('/api/v1/payment_methods', { params: { query: { page, per_page: perPage } }, signal }),
        );
        return { rows: payment_methods, ...counts };
      }}
      create={(values, key) =>
        unwrap(store.POST('/api/v1/payment_methods', { headers: once(key), body: body(values) }))
      }
      update={({ id }, values, key) =>
        unwrap(
          store.PUT('/api/v1/payment_methods/{id}', {
            params: { path: { id } },
            headers: once(key),
            body: body(values),
          }),
        )
      }
      remove={({ id }, key) =>
        unwrap(store.DELETE('/api/v1/payment_methods/{id}', { params: { path: { id } }, headers: once(key) }))
      }
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
      read={async ({ page, perPage, signal }) => {
        const { return_authorization_reasons, ...counts } = await unwrap(
          store.GET('/api/v1/return_authorization_reasons', {
            params: { query: { page, per_page: perPage } },
            signal,
          }),
        );
        return { rows: return_authorization_reasons, ...counts };
      }}
      create={(values, key) =>
        unwrap(store.POST('/api/v1/return_authorization_reasons', { headers: once(key), body: body(values) }))
      }
      update={({ id }, values, key) =>
        unwrap(
          store.PUT('/api/v1/return_authorization_reasons/{id}', {
            params: { path: { id } },
            headers: once(key),
            body: body(values),
          }),
        )
      }
      remove={({ id }, key) =>
        unwrap(
          store.DELETE('/api/v1/return_authorization_reasons/{id}', {
            params: { path: { id } },
            headers: once(key),
          }),
        )
      }
    />
  );
}
