import { unwrap, type User } from 'store-api-client';
import { Link } from 'wouter-preact';
import { store } from '../office';
import { ListPage, type ListRequest } from '../parts/list';
import type { Column } from '../parts/table';
import { dateOf } from '../words';
import { NewCustomer } from '../customer/new-customer';
import { CUSTOMER } from '../customer/roles';

export const ACCOUNT_COLUMNS: readonly Column<User>[] = [
  { name: 'Customer', cell: ({ id, email }) => <Link href={`/customers/${id}`}>{email}</Link> },
  { name: 'Name', cell: ({ bill_address, ship_address }) => (bill_address ?? ship_address)?.full_name },
  { name: 'City', cell: ({ bill_address, ship_address }) => (bill_address ?? ship_address)?.city },
  { name: 'Roles', cell: ({ roles }) => roles.filter((role) => role !== CUSTOMER).join(', ') },
  { name: 'Since', cell: ({ created_at }) => dateOf(created_at) },
];

/** Reads a page of accounts; `conditions` restrict them further. */
export async function listAccounts({ search, page, perPage, signal }: ListRequest, conditions = {}) {
  const { users, ...counts } = await unwrap(
    store.GET('/api/v1/users', {
      params: {
        query: {
          q: { ...conditions, ...(search !== '' && { email_cont: search }), s: 'id desc' },
          page,
          per_page: perPage,
        },
      },
      signal,
    }),
  );
  return { rows: users, ...counts };
}

/** Everyone with an account, customers and staff. */
export const Customers = () => (
  <ListPage
    title="Customers"
    path="/customers"
    columns={ACCOUNT_COLUMNS}
    keyOf={({ id }) => id}
    read={(request) => listAccounts(request)}
    search={{ name: 'Find customers', placeholder: 'E-mail' }}
    actions={<NewCustomer />}
  />
);
