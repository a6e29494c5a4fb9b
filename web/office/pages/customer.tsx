import { useQuery } from '@tanstack/preact-query';
import type { User } from 'store-api-client';
import { Link } from 'wouter-preact';
import { AddressLines } from '../../shared/address-lines';
import { useIsAdmin, useMay } from '../access';
import { CustomerActions } from '../customer/customer-actions';
import { CUSTOMER } from '../customer/roles';
import { Tokens } from '../customer/tokens';
import { store } from '../office';
import { listOrders } from '../orders';
import { ListBody } from '../parts/list';
import { Loaded } from '../parts/loaded';
import { unwrapVersioned } from '../parts/requests';
import { dateOf } from '../words';
import { ORDER_COLUMNS } from './orders';

/** One account: its orders, addresses, roles and tokens, and its data on request. */
export function CustomerPage({ id }: { id: number }) {
  const query = useQuery({
    queryKey: ['customer', id],
    queryFn: () => unwrapVersioned(store.GET('/api/v1/users/{id}', { params: { path: { id } } })),
  });
  return (
    <Loaded query={query}>{({ record, version }) => <Customer user={record} version={version} />}</Loaded>
  );
}

function Customer({ user, version }: { user: User; version: string }) {
  const { id, email, created_at, roles, vat_id, bill_address, ship_address } = user;
  const may = useMay();
  const isAdmin = useIsAdmin();
  return (
    <>
      <p class="crumb">
        <Link href="/customers">Customers</Link>
      </p>
      <div class="title">
        <h1>{email}</h1>
        {roles
          .filter((role) => role !== CUSTOMER)
          .map((role) => (
            <span key={role} class="mark">
              {role}
            </span>
          ))}
      </div>
      <p class="quiet">
        Since {dateOf(created_at)}
        {vat_id !== null && `, VAT id ${vat_id}`}
      </p>
      <div class="columns">
        <div>
          {may('orders:read') && (
            <section class="box">
              <h2>Orders</h2>
              <ListBody
                title="Orders"
                path={`/customers/${id}`}
                columns={ORDER_COLUMNS.filter(({ name }) => name !== 'Customer')}
                keyOf={({ number }) => number}
                perPage={10}
                empty="None yet."
                read={(request) =>
                  listOrders({ ...request, filter: (name) => (name === 'user' ? String(id) : null) })
                }
              />
            </section>
          )}
          {isAdmin && <Tokens userId={id} email={email} />}
        </div>
        <aside>
          <CustomerActions user={user} version={version} />
          {[
            { name: 'Ship address', address: ship_address },
            { name: 'Bill address', address: bill_address },
          ].map(({ name, address }) => (
            <section key={name} class="box">
              <h2>{name}</h2>
              <p class="address">{address === null ? 'None' : <AddressLines address={address} />}</p>
            </section>
          ))}
        </aside>
      </div>
    </>
  );
}
