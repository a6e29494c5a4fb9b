import { useQuery } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { unwrap, type Order, type ReturnAuthorization } from 'store-api-client';
import { useMay } from '../access';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { isOn, optional, textOf, toChoices, wholeOf, type FieldSpec, type Values } from '../parts/fields';
import { describeUnmadeRefunds } from '../rules/unmade-refunds';
import { dateOf, inWords, moneyOf } from '../words';
import { nameOf } from '../../shared/variant-name';

/** The returns of an order: requests of the customer, expected and received ones, and new ones. */
export function Returns({ order }: { order: Order }) {
  const { number } = order;
  const may = useMay();
  const isSent = (order.shipments ?? []).some(({ state }) => state === 'shipped');
  const { data: returns = [] } = useQuery({
    queryKey: ['returns', number],
    queryFn: async () =>
      (
        await unwrap(
          store.GET('/api/v1/orders/{number}/return_authorizations', {
            params: { path: { number }, query: { per_page: 100 } },
          }),
        )
      ).return_authorizations,
    // Only what was sent can come back.
    enabled: isSent && may('orders:read'),
  });
  const { data: offer } = useQuery({
    queryKey: ['return-reasons', number],
    // Whoever reads the order; the list of all reasons is a setting.
    queryFn: () =>
      unwrap(store.GET('/api/v1/orders/{number}/return_requests/new', { params: { path: { number } } })),
    enabled: returns.length > 0,
    staleTime: 60_000,
  });
  const reasonOf = ({ return_authorization_reason_id: reason }: ReturnAuthorization): string | undefined =>
    offer?.return_authorization_reasons.find(({ id }) => id === reason)?.name;
  if (!isSent) return null;
  return (
    <section class="box">
      <h2>Returns</h2>
      {returns.length === 0 && <p class="quiet">None</p>}
      {returns.map((one) => (
        <article key={one.id} class="parcel">
          <div class="title">
            <h3>{one.number}</h3>
            <span class="mark">{inWords(one.state)}</span>
          </div>
          <p class="quiet">
            {dateOf(one.created_at)}
            {one.state === 'received' && `, ${moneyOf(one.amount, order.currency)} credited`}
            {[reasonOf(one), one.memo]
              .filter((text) => text != null && text !== '' && text !== one.customer_memo)
              .map((text) => `, ${text}`)}
          </p>
          {(one.customer_memo ?? '') !== '' && <p>“{one.customer_memo}”</p>}
          {one.decline_reason !== null && <p>Declined: {one.decline_reason}</p>}
          <Items of={one} order={order} />
          <ReturnButtons order={order} of={one} />
        </article>
      ))}
      <div class="actions">
        <NewReturn order={order} returns={returns} />
      </div>
    </section>
  );
}

/** Returns the name of what a line item of the order is of. */
const nameLine = (order: Order, lineId: number): string => {
  const line = order.line_items.find(({ id }) => id === lineId);
  return line === undefined ? 'a removed item' : nameOf(line.variant);
};

/** What is on a return, or what the customer wants to put on it. */
function Items({
  of: { items = [], requested_items = [] },
  order,
}: {
  of: ReturnAuthorization;
  order: Order;
}) {
  return (
    <ul>
      {(items.length > 0 ? items : requested_items).map((item) => (
        <li key={item.line_item_id}>
          {item.quantity} × {nameLine(order, item.line_item_id)}
          {'restock' in item && !item.restock && <span class="quiet">, not to be sold again</span>}
        </li>
      ))}
    </ul>
  );
}

function ReturnButtons({ order, of }: { order: Order; of: ReturnAuthorization }) {
  const { number, email } = order;
  const params = { path: { number, id: of.id } };
  const scope = 'orders:write';
  return (
    <div class="actions">
      {of.state === 'requested' && (
        <>
          <Act
            name="Approve"
            of={of.number}
            isQuiet={false}
            scope={scope}
            question={`${email ?? 'The customer'} may send the items of ${of.number} back.`}
            confirm="Approve the return"
            done={`${of.number} is approved.`}
            act={(key) =>
              unwrap(
                store.PUT('/api/v1/orders/{number}/return_authorizations/{id}/approve', {
                  params,
                  headers: once(key),
                }),
              )
            }
          />
          <Act
            name="Decline"
            of={of.number}
            scope={scope}
            question={`The request ${of.number} is declined. The customer sees the reason.`}
            confirm="Decline the return"
            done={`${of.number} is declined.`}
            fields={[{ name: 'reason', label: 'Reason (optional)' }]}
            act={(key, values) =>
              unwrap(
                store.PUT('/api/v1/orders/{number}/return_authorizations/{id}/decline', {
                  params,
                  headers: once(key),
                  body: { reason: optional(values, 'reason') },
                }),
              )
            }
          />
        </>
      )}
      {of.state === 'authorized' && (
        <>
          <Receive order={order} of={of} />
          <Act
            name="Cancel"
            of={of.number}
            scope={scope}
            question={`${of.number} is canceled: its items are not expected any more.`}
            confirm="Cancel the return"
            done={`${of.number} is canceled.`}
            act={(key) =>
              unwrap(
                store.PUT('/api/v1/orders/{number}/return_authorizations/{id}/cancel', {
                  params,
                  headers: once(key),
                }),
              )
            }
          />
        </>
      )}
    </div>
  );
}

const unitsOf = (values: Values, { variant_id }: { variant_id: number }): number =>
  wholeOf(values, `units-${variant_id}`) ?? 0;

/** Receives a return: all of it, or the units that have come. */
function Receive({ order, of: { id, number, items = [] } }: { order: Order; of: ReturnAuthorization }) {
  const params = { path: { number: order.number, id } };
  const may = useMay();
  const restocked = items.some(({ restock }) => restock);
  return (
    <Act
      name="Receive"
      of={number}
      isQuiet={false}
      scope={may('shipments:write') ? 'shipments:write' : 'orders:write'}
      question={`The value of the units of ${number} that have arrived is credited to the order. Refund it under Payments.`}
      confirm="Receive the items"
      done={`The items of ${number} are received.`}
      fields={[
        ...items.map(({ line_item_id, variant_id, quantity }) => ({
          name: `units-${variant_id}`,
          label: `${nameLine(order, line_item_id)} (of ${quantity})`,
          kind: 'whole' as const,
          most: quantity,
        })),
        RESTOCK,
      ]}
      initial={{
        ...Object.fromEntries(
          items.map(({ variant_id, quantity }) => [`units-${variant_id}`, String(quantity)]),
        ),
        restock: restocked,
      }}
      isReady={(values) => items.some((item) => unitsOf(values, item) > 0)}
      act={async (key, values) => {
        for (const item of items) {
          const quantity = unitsOf(values, item);
          // Unchanged, each item is restocked or not as it was announced.
          const restock = isOn(values, 'restock') === restocked ? item.restock : !restocked;
          if (quantity === item.quantity && restock === item.restock) continue;
          await unwrap(
            store.PUT('/api/v1/orders/{number}/return_authorizations/{id}/add', {
              params,
              headers: once(`${key}-${item.variant_id}`),
              body: { variant_id: item.variant_id, quantity, restock },
            }),
          );
        }
        return unwrap(
          store.PUT('/api/v1/orders/{number}/return_authorizations/{id}/receive', {
            params,
            headers: once(key),
          }),
        );
      }}
    />
  );
}

const RESTOCK: FieldSpec = { name: 'restock', label: 'The items can be sold again', kind: 'check' };

/** Returns what was sent, has not come back and is on no other return, as lines with the number of units. */
function listReturnable({ line_items, shipments = [] }: Order, returns: readonly ReturnAuthorization[]) {
  const expected = returns.filter(({ state }) => state === 'authorized').flatMap(({ items = [] }) => items);
  return line_items.flatMap(({ variant_id, variant }) => {
    const isOfVariant = (one: { variant_id?: number }): boolean => one.variant_id === variant_id;
    const sent = shipments
      .flatMap(({ manifest }) => manifest)
      .filter(isOfVariant)
      .reduce((sum, { states }) => sum + (states['shipped'] ?? 0), 0);
    const free = expected.filter(isOfVariant).reduce((rest, { quantity }) => rest - quantity, sent);
    return free <= 0 ? [] : [{ variant_id, name: nameOf(variant), free }];
  });
}

/** Expects a return, or receives one that has arrived, in one step and with its refund. */
function NewReturn({ order, returns }: { order: Order; returns: readonly ReturnAuthorization[] }) {
  const { number, currency } = order;
  const may = useMay();
  const unmade = useRef('');
  const { data } = useQuery({
    queryKey: ['new-return', number],
    queryFn: () =>
      unwrap(
        store.GET('/api/v1/orders/{number}/return_authorizations/new', { params: { path: { number } } }),
      ),
    enabled: may('orders:write'),
    staleTime: 60_000,
  });
  const locations = data?.stock_locations ?? [];
  const returnable = listReturnable(order, returns);
  const reasons = toChoices(data?.return_authorization_reasons);
  if (returnable.length === 0) return null;
  const isHere = (values: Values): boolean => isOn(values, 'receive');
  return (
    <Act
      name="Add a return"
      scope="orders:write"
      question={`Enter the units of order ${number} that come back.`}
      confirm={(values) =>
        isHere(values)
          ? isOn(values, 'refund')
            ? 'Receive and refund'
            : 'Receive the items'
          : 'Expect the return'
      }
      done={(values) =>
        isHere(values) ? `The items are received.${unmade.current}` : 'The return is expected.'
      }
      fields={[
        ...returnable.map(({ variant_id, name, free }) => ({
          name: `units-${variant_id}`,
          label: `${name} (of ${free})`,
          kind: 'whole' as const,
          most: free,
        })),
        {
          name: 'return_authorization_reason_id',
          label: 'Reason',
          kind: 'choice',
          isRequired: true,
          choices: reasons,
        },
        {
          name: 'stock_location_id',
          label: 'Comes back to',
          kind: 'choice',
          isRequired: true,
          choices: toChoices(locations),
        },
        { name: 'memo', label: 'Note for the staff (optional)' },
        RESTOCK,
        { name: 'receive', label: 'The items have arrived', kind: 'check' },
        {
          name: 'amount',
          label: `Credit in ${currency} (optional)`,
          kind: 'amount',
          isShown: isHere,
          hint: 'Empty: the value of the units after discounts and taxes.',
        },
        {
          name: 'refund',
          label: 'Refund the credit now',
          kind: 'check',
          isShown: (values) => isHere(values) && may('payments:write'),
        },
      ]}
      initial={{
        return_authorization_reason_id: reasons[0]?.value ?? '',
        stock_location_id: String(locations[0]?.id ?? ''),
        restock: true,
      }}
      isReady={(values) => returnable.some((item) => unitsOf(values, item) > 0)}
      act={async (key, values) => {
        const items = returnable.flatMap((item) => {
          const quantity = unitsOf(values, item);
          return quantity === 0
            ? []
            : [{ variant_id: item.variant_id, quantity, restock: isOn(values, 'restock') }];
        });
        const made = await unwrap(
          store.POST('/api/v1/orders/{number}/return_authorizations', {
            params: { path: { number } },
            headers: once(key),
            body: {
              return_authorization: {
                items,
                memo: optional(values, 'memo'),
                stock_location_id: wholeOf(values, 'stock_location_id'),
                return_authorization_reason_id: wholeOf(values, 'return_authorization_reason_id'),
                ...(textOf(values, 'amount') !== '' && { amount: textOf(values, 'amount') }),
                ...(isHere(values) && {
                  receive: true,
                  ...(isOn(values, 'refund') && { refund: true }),
                }),
              },
            },
          }),
        );
        unmade.current = describeUnmadeRefunds(made);
      }}
    />
  );
}
