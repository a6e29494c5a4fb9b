import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type Webhook, type WebhookDelivery, type components } from 'store-api-client';
import { Link } from 'wouter-preact';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { chosenOf, isOn, optional, textOf, type Values } from '../parts/fields';
import { ListPage } from '../parts/list';
import { requestsOf } from '../parts/requests';
import { ResourcePage } from '../parts/resource';
import { dateOf, inWords } from '../words';

type EventType = components['schemas']['CreateWebhookBody']['webhook']['events'][number];

const EVENTS: readonly EventType[] = [
  ...(['*', 'order.completed', 'order.canceled', 'order.updated', 'order.paid'] as const),
  ...(['payment.authorized', 'payment.captured', 'payment.failed', 'payment.voided'] as const),
  ...(['payment.refunded', 'shipment.ready', 'shipment.shipped', 'shipment.updated'] as const),
  ...(['cart.abandoned', 'return.created', 'return.received', 'return.canceled'] as const),
  ...(['product.created', 'product.updated', 'product.deleted', 'variant.created'] as const),
  ...(['variant.updated', 'variant.deleted', 'stock.changed', 'stock.low', 'stock.out'] as const),
  ...(['customer.created', 'customer.updated', 'customer.deleted', 'customer.erased'] as const),
];

/** The addresses that events are sent to. */
export function Webhooks() {
  const [secret, setSecret] = useState<string | null>(null);
  const body = (values: Values) => ({
    webhook: {
      url: textOf(values, 'url'),
      description: optional(values, 'description'),
      active: isOn(values, 'active'),
      events: EVENTS.filter((event) => chosenOf(values, 'events').includes(event)),
    },
  });
  const requests = requestsOf('/api/v1/webhooks', body);
  return (
    <>
      {secret !== null && (
        <p class="notice">
          Copy the secret now; it is not shown again: <code>{secret}</code>
        </p>
      )}
      <ResourcePage<Webhook>
        title="Webhooks"
        one="webhook"
        path="/settings/webhooks"
        scope="events:write"
        removal="Its deliveries are deleted too."
        nameOf={({ description, url }) => description ?? url}
        columns={[
          { name: 'Address', cell: ({ url }) => url },
          {
            name: 'Events',
            cell: ({ events }) =>
              events.includes('*') ? 'All' : events.length > 2 ? `${events.length} types` : events.join(', '),
          },
          {
            name: 'State',
            cell: ({ active, paused_reason }) =>
              paused_reason !== null ? (
                <span class="mark mark-bad">Paused: {paused_reason}</span>
              ) : active ? (
                'Active'
              ) : (
                'Off'
              ),
          },
        ]}
        fields={[
          { name: 'url', label: 'Address', isRequired: true },
          { name: 'description', label: 'Description' },
          { name: 'active', label: 'Active', kind: 'check' },
          {
            name: 'events',
            label: 'Events',
            kind: 'many',
            choices: EVENTS.map((event) => ({ value: event, name: event === '*' ? 'All events' : event })),
          },
        ]}
        toValues={(webhook) => ({
          url: webhook?.url ?? '',
          description: webhook?.description ?? '',
          active: webhook?.active ?? true,
          events: webhook?.events ?? ['*'],
        })}
        {...requests}
        create={async (values, key) => setSecret((await requests.create(values, key)).secret)}
        more={(webhook) => <WebhookButtons webhook={webhook} show={setSecret} />}
      />
    </>
  );
}

function WebhookButtons({
  webhook: { id, url },
  show,
}: {
  webhook: Webhook;
  show: (secret: string) => void;
}) {
  const params = { path: { id } };
  return (
    <>
      <Link href={`/settings/webhooks/${id}`}>Deliveries</Link>
      <Act
        name="Test"
        of={url}
        isLink
        scope="events:write"
        question={`A test event is sent to ${url}.`}
        confirm="Send a test"
        done="The test is sent. See its delivery."
        act={(key) => unwrap(store.POST('/api/v1/webhooks/{id}/test', { params, headers: once(key) }))}
      />
      <Act
        name="New secret"
        of={url}
        isLink
        scope="events:write"
        question="The receiver needs the new secret to check what it gets."
        confirm="Replace the secret"
        done="The secret is replaced. Copy it now."
        act={async (key) =>
          show(
            (await unwrap(store.PUT('/api/v1/webhooks/{id}/rotate_secret', { params, headers: once(key) })))
              .secret,
          )
        }
      />
    </>
  );
}

/** What was sent to a webhook, and what it replied. */
export function Deliveries({ id }: { id: number }) {
  const { data: webhook } = useQuery({
    queryKey: ['/settings/webhooks', id, 'webhook'],
    queryFn: () => unwrap(store.GET('/api/v1/webhooks/{id}', { params: { path: { id } } })),
  });
  return (
    <>
      <p class="crumb">
        <Link href="/settings/webhooks">Webhooks</Link>
      </p>
      <ListPage<WebhookDelivery>
        title="Deliveries"
        path={`/settings/webhooks/${id}`}
        keyOf={({ id: delivery }) => delivery}
        empty="Nothing was sent yet."
        tools={() => <p class="quiet">{webhook?.url}</p>}
        columns={[
          { name: 'Event', cell: ({ event_type }) => event_type },
          { name: 'Created', cell: ({ created_at }) => dateOf(created_at) },
          {
            name: 'State',
            cell: ({ status, code }) => (
              <span class={status === 'failed' ? 'mark mark-bad' : 'mark'}>
                {inWords(status)}
                {code !== null && ` ${code}`}
              </span>
            ),
          },
          { name: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
          { name: 'Next attempt', cell: ({ next_attempt_at }) => dateOf(next_attempt_at) },
          { name: 'Reply', cell: ({ response }) => <span class="clip">{response}</span> },
          {
            name: 'Actions',
            scope: 'events:write',
            cell: ({ id: delivery_id, event_type }) => (
              <Act
                name="Send again"
                of={event_type}
                isLink
                scope="events:write"
                question="The event is sent again. The receiver knows it by its id."
                confirm="Send it again"
                done="The delivery is queued."
                act={(key) =>
                  unwrap(
                    store.PUT('/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
                      params: { path: { id, delivery_id } },
                      headers: once(key),
                    }),
                  )
                }
              />
            ),
          },
        ]}
        read={async ({ page, perPage, signal }) => {
          const { deliveries, ...counts } = await unwrap(
            store.GET('/api/v1/webhooks/{id}/deliveries', {
              params: { path: { id }, query: { page, per_page: perPage } },
              signal,
            }),
          );
          return { rows: deliveries, ...counts };
        }}
      />
    </>
  );
}
