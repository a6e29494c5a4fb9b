import { queryOptions, useQuery } from '@tanstack/preact-query';
import { unwrap, type Order } from 'store-api-client';
import { Link } from 'wouter-preact';
import { AddressLines } from '../../shared/address-lines';
import { Totals } from '../../shared/totals';
import { store } from '../office';
import { Act } from '../parts/act';
import { Download } from '../parts/download';
import { Loaded } from '../parts/loaded';
import { Parcels } from '../parts/parcels';
import { Payments } from '../parts/payments';
import { Table, type Column } from '../parts/table';
import { dateOf, inWords } from '../words';

const orderQuery = (number: string) =>
  queryOptions({
    queryKey: ['order', number],
    queryFn: () => unwrap(store.GET('/api/v1/orders/{number}', { params: { path: { number } } })),
  });

/** One order on one page: lines, money, parcels, documents and history, with what can be done next. */
export function OrderPage({ number }: { number: string }) {
  const query = useQuery(orderQuery(number));
  return <Loaded query={query}>{(order) => <LoadedOrder order={order} />}</Loaded>;
}

function LoadedOrder({ order }: { order: Order }) {
  const { number, state, email, completed_at, ship_address, bill_address, special_instructions } = order;
  return (
    <>
      <p class="crumb">
        <Link href="/orders">Orders</Link>
      </p>
      <div class="title">
        <h1>Order {number}</h1>
        <span class="mark">{inWords(state)}</span>
        <span class="mark">{inWords(order.payment_state)}</span>
        <span class="mark">{inWords(order.shipment_state)}</span>
        {order.considered_risky && <span class="mark mark-bad">Risky</span>}
      </div>
      <p class="quiet">
        {completed_at === null ? 'Not bought yet' : `Bought ${dateOf(completed_at)}`} · {email}
      </p>
      <div class="columns">
        <div>
          <Lines order={order} />
          <Parcels order={order} />
          <Payments order={order} />
          <History number={number} />
        </div>
        <aside>
          <section class="box">
            <Totals order={order} />
            <OrderActions order={order} />
          </section>
          {[
            { name: 'Ship to', address: ship_address },
            { name: 'Bill to', address: bill_address },
          ].map(({ name, address }) => (
            <section key={name} class="box">
              <h2>{name}</h2>
              <p class="address">
                {address == null ? 'None' : <AddressLines address={address} />}
                {address?.phone != null && <span>{address.phone}</span>}
              </p>
            </section>
          ))}
          {special_instructions !== null && special_instructions !== '' && (
            <section class="box">
              <h2>Instructions</h2>
              <p>{special_instructions}</p>
            </section>
          )}
          <Documents number={number} />
        </aside>
      </div>
    </>
  );
}

const LINE_COLUMNS: readonly Column[] = [
  ...[{ name: 'Product' }, { name: 'SKU' }, { name: 'Price', isNumber: true }],
  ...[
    { name: 'Units', isNumber: true },
    { name: 'Amount', isNumber: true },
  ],
];

function Lines({ order }: { order: Order }) {
  return (
    <section class="box">
      <h2>Items</h2>
      <Table columns={LINE_COLUMNS}>
        {order.line_items.map(({ id, variant, quantity, single_display_amount, display_amount }) => (
          <tr key={id}>
            <th scope="row">
              <Link href={`/products/${variant.slug}`}>{variant.name}</Link>
              <span class="quiet"> {variant.options_text}</span>
            </th>
            <td>{variant.sku}</td>
            <td class="number">{single_display_amount}</td>
            <td class="number">{quantity}</td>
            <td class="number">{display_amount}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function OrderActions({ order }: { order: Order }) {
  const { number, state, display_total, shipment_state } = order;
  const params = { path: { number } };
  const mayCancel = state === 'complete' && shipment_state !== 'shipped' && shipment_state !== 'partial';
  return (
    <div class="actions">
      {order.considered_risky && (
        <Act
          name="Approve"
          question="The order is marked as risky. It can be shipped after you approve it."
          confirm="Approve the order"
          act={(key) =>
            unwrap(
              store.PUT('/api/v1/orders/{number}/approve', { params, headers: { 'Idempotency-Key': key } }),
            )
          }
        />
      )}
      {mayCancel && (
        <Act
          name="Cancel the order"
          question={`The order of ${display_total} is canceled: its items are restocked, authorizations are voided, and captured payments are refunded.`}
          confirm="Cancel the order"
          act={(key) =>
            unwrap(
              store.PUT('/api/v1/orders/{number}/cancel', { params, headers: { 'Idempotency-Key': key } }),
            )
          }
        />
      )}
      {state === 'canceled' && (
        <Act
          name="Resume the order"
          question={`The order of ${display_total} is resumed: its items are taken from stock again. It needs a new payment.`}
          confirm="Resume the order"
          act={(key) =>
            unwrap(
              store.PUT('/api/v1/orders/{number}/resume', { params, headers: { 'Idempotency-Key': key } }),
            )
          }
        />
      )}
    </div>
  );
}

function Documents({ number }: { number: string }) {
  const query = useQuery({
    queryKey: ['documents', number],
    queryFn: async () =>
      (await unwrap(store.GET('/api/v1/orders/{number}/documents', { params: { path: { number } } })))
        .documents,
  });
  return (
    <section class="box">
      <h2>Documents</h2>
      <Loaded query={query}>
        {(documents) => (
          <ul class="documents">
            {documents.length === 0 && <li class="quiet">None yet</li>}
            {documents.map(({ number: name, kind, created_at, url }) => (
              <li key={name}>
                <Download path={url} file={`${name}.pdf`} name={name} class="link" />{' '}
                <span class="quiet">
                  {kind.replaceAll('_', ' ')}, {dateOf(created_at)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function History({ number }: { number: string }) {
  const query = useQuery({
    queryKey: ['history', number],
    queryFn: async () =>
      (await unwrap(store.GET('/api/v1/orders/{number}/history', { params: { path: { number } } })))
        .state_changes,
  });
  return (
    <details class="box">
      <summary>
        <h2>History</h2>
      </summary>
      <Loaded query={query}>
        {(changes) => (
          <ol class="history">
            {changes.map(
              ({ id, created_at, subject_type, number: subject, from_state, to_state, reason, user }) => (
                <li key={id}>
                  <time dateTime={created_at}>{dateOf(created_at)}</time>
                  <span>
                    {subject_type.replaceAll('_', ' ')} {subject}:{' '}
                    {from_state !== null && `${inWords(from_state)} → `}
                    {inWords(to_state)}
                    <span class="quiet">
                      {' '}
                      {reason}
                      {user != null && `, ${user.email}`}
                    </span>
                  </span>
                </li>
              ),
            )}
          </ol>
        )}
      </Loaded>
    </details>
  );
}
