import { unwrap, type Store } from 'store-api-client';
import { Link } from 'wouter-preact';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { textOf, type Values } from '../parts/fields';
import { requestsOf } from '../parts/requests';
import { ResourcePage } from '../parts/resource';

/** The stores. Orders, mails and documents follow the settings of the default one. */
export function Stores() {
  const body = (values: Values) => ({
    store: {
      name: textOf(values, 'name'),
      code: textOf(values, 'code'),
      url: textOf(values, 'url'),
      mail_from_address: textOf(values, 'mail_from_address'),
    },
  });
  const { read, create, remove } = requestsOf('/api/v1/stores', body);
  return (
    <ResourcePage<Store>
      title="Stores"
      one="store"
      path="/settings/stores"
      scope="settings:write"
      intro="Orders, mails and documents follow the settings of the default store."
      isFixed={({ is_default }) => is_default}
      removal="A store that has issued invoices stays."
      nameOf={({ name }) => name}
      columns={[
        { name: 'Code', cell: ({ code }) => code },
        { name: 'Address', cell: ({ url }) => url },
        { name: 'Default', cell: ({ is_default }) => (is_default ? 'Yes' : '') },
      ]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'code', label: 'Code', isRequired: true, hint: 'A word of its own, such as outlet.' },
        { name: 'url', label: 'Address', isRequired: true, hint: 'Such as https://shop.example.' },
        { name: 'mail_from_address', label: 'Sender of mails', kind: 'email', isRequired: true },
      ]}
      toValues={() => ({ name: '', code: '', url: '', mail_from_address: '' })}
      read={read}
      create={create}
      remove={remove}
      more={(one) => (
        <>
          <Link href={`/settings/stores/${one.id}`}>
            Settings<span class="visually-hidden"> of {one.name}</span>
          </Link>
          {!one.is_default && <MakeDefault store={one} />}
        </>
      )}
    />
  );
}

const MakeDefault = ({ store: { id, name } }: { store: Store }) => (
  <Act
    name="Make default"
    of={name}
    isLink
    scope="settings:write"
    question={`New orders, mails and documents follow the settings of ${name} from now on.`}
    confirm="Make it the default"
    done={`${name} is the default store.`}
    act={(key) =>
      unwrap(
        store.PUT('/api/v1/stores/{id}', {
          params: { path: { id } },
          headers: once(key),
          body: { store: { is_default: true } },
        }),
      )
    }
  />
);
