import { unwrap } from 'store-api-client';
import { useLocation } from 'wouter-preact';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { EMAIL_FIELD, textOf, type FieldSpec, type Values } from '../parts/fields';

/** What a new account signs in with. */
export const SIGN_IN_FIELDS: readonly FieldSpec[] = [
  EMAIL_FIELD,
  { name: 'password', label: 'Password', kind: 'password', isRequired: true },
];

/** Creates the account of these fields. @returns the address of its page */
export async function createAccount(
  key: string,
  values: Values,
  more: { roles?: string[] } = {},
): Promise<string> {
  const { id } = await unwrap(
    store.POST('/api/v1/users', {
      headers: once(key),
      body: { user: { email: textOf(values, 'email'), password: textOf(values, 'password'), ...more } },
    }),
  );
  return `/customers/${id}`;
}

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
      fields={SIGN_IN_FIELDS}
      act={async (key, values) => go(await createAccount(key, values))}
    />
  );
}
