import { unwrap } from 'store-api-client';
import { useLocation } from 'wouter-preact';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { textOf } from '../parts/fields';

/** Adds an account, and opens its page. */
export function NewCustomer() {
  const [, go] = useLocation();
  return (
    <Act
      name="Add a customer"
      isQuiet={false}
      scope="customers:write"
      question="The account can sign in to the shop with this password. Members of staff are added below Staff."
      confirm="Add the customer"
      done={(values) => `${textOf(values, 'email')} is added.`}
      fields={[
        { name: 'email', label: 'E-mail', kind: 'email', isRequired: true },
        { name: 'password', label: 'Password', kind: 'password', isRequired: true },
      ]}
      act={async (key, values) => {
        const { id } = await unwrap(
          store.POST('/api/v1/users', {
            headers: once(key),
            body: { user: { email: textOf(values, 'email'), password: textOf(values, 'password') } },
          }),
        );
        go(`/customers/${id}`);
      }}
    />
  );
}
