import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type Mail, type UndeliveredMail } from 'store-api-client';
import { Link } from 'wouter-preact';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { Loaded, NotFound } from '../parts/loaded';
import { MailHtml } from '../parts/mail-html';
import { OrderLink } from '../parts/order-link';
import { Table, type Column } from '../parts/table';
import { undeliveredMailsQuery } from '../queries';
import { Templates } from './mail-templates';
import { countOf, dateOf } from '../words';

type Name = Mail['name'];

const NAMES: Readonly<Record<Name, string>> = {
  order_confirmed: 'Order confirmed',
  shipped: 'Parcel shipped',
  canceled: 'Order canceled',
  refunded: 'Payment refunded',
  return_received: 'Return received',
  order_link: 'Link of an order',
  password_reset: 'New password',
  email_changed: 'E-mail changed',
  new_email: 'New e-mail',
};

const isName = (text: string): text is Name => Object.hasOwn(NAMES, text);

const COLUMNS: readonly Column<Mail>[] = [
  { name: 'Mail', cell: ({ name }) => <Link href={`/settings/mails/${name}`}>{NAMES[name]}</Link> },
  { name: 'Subject', cell: ({ written_out }) => written_out.subject },
  { name: 'Changed', cell: ({ changed_at }) => (changed_at === null ? 'No' : dateOf(changed_at)) },
];

/** The mails that customers get. */
export function Mails() {
  const query = useQuery({
    queryKey: ['mails'],
    queryFn: async () => (await unwrap(store.GET('/api/v1/mails'))).mails,
  });
  return (
    <>
      <h1>Mails</h1>
      <Loaded query={query}>
        {(mails) => <Table name="Mails" columns={COLUMNS} rows={mails} keyOf={({ name }) => name} />}
      </Loaded>
      <Undelivered />
    </>
  );
}

const UNDELIVERED: readonly Column<UndeliveredMail>[] = [
  { name: 'Mail', cell: ({ name }) => (name !== null && isName(name) ? NAMES[name] : name) },
  { name: 'To', cell: ({ email }) => <span class="clip">{email}</span> },
  {
    name: 'Order',
    isShort: true,
    cell: ({ order_number }) => order_number !== null && <OrderLink number={order_number} />,
  },
  { name: 'Created', cell: ({ created_at }) => dateOf(created_at) },
  { name: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
  { name: 'Reason', cell: ({ reason }) => <span class="clip">{reason}</span> },
  {
    name: 'Next attempt',
    cell: ({ next_attempt_at }) => (next_attempt_at === null ? 'None' : dateOf(next_attempt_at)),
  },
  {
    name: 'Actions',
    scope: 'settings:write',
    cell: ({ id, email }) => (
      <Act
        name="Dismiss"
        {...(email !== null && { of: email })}
        scope="settings:write"
        question="The mail is not sent, and is no longer listed."
        confirm="Dismiss"
        done="The mail is dismissed."
        act={(key) =>
          unwrap(
            store.DELETE('/api/v1/undelivered_mails/{id}', { params: { path: { id } }, headers: once(key) }),
          )
        }
        isLink
      />
    ),
  },
];

/** The mails that could not be sent so far; nothing without one. */
function Undelivered() {
  const { data } = useQuery(undeliveredMailsQuery);
  if (data === undefined || data.total_count === 0) return null;
  const { undelivered_mails, total_count } = data;
  return (
    <section class="box">
      <h2>Undelivered</h2>
      <p class="quiet">
        {countOf(total_count, 'mail')} could not be sent so far
        {total_count > undelivered_mails.length && `; the latest ${undelivered_mails.length} are listed`}.
      </p>
      <Table name="Undelivered mails" columns={UNDELIVERED} rows={undelivered_mails} keyOf={({ id }) => id} />
      <div class="actions">
        <Act
          name="Try again"
          scope="settings:write"
          question={`The store tries to send ${countOf(total_count, 'mail')} now.`}
          confirm="Try again"
          done="The store tries to send them. What fails again is listed here."
          act={(key) => unwrap(store.PUT('/api/v1/undelivered_mails/retry', { headers: once(key) }))}
        />
      </div>
    </section>
  );
}

/** A mail: its wording, and how it looks with sample data. */
export function MailPage({ name }: { name: string }) {
  if (!isName(name)) return <NotFound />;
  return (
    <>
      <p class="crumb">
        <Link href="/settings/mails">Mails</Link>
      </p>
      <h1>{NAMES[name]}</h1>
      <div class="halves">
        <Templates name={name} />
        <Preview name={name} />
      </div>
    </>
  );
}

function Preview({ name }: { name: Name }) {
  const [isText, setText] = useState(false);
  const query = useQuery({
    queryKey: ['mails', name, 'preview'],
    queryFn: () => unwrap(store.GET('/api/v1/mails/preview/{name}', { params: { path: { name } } })),
  });
  return (
    <section class="box">
      <h2>Preview</h2>
      <Loaded query={query}>
        {({ subject, text, html }) => (
          <>
            <p>
              <strong>{subject}</strong>
            </p>
            <label class="check">
              <input
                type="checkbox"
                checked={isText}
                onChange={(event) => setText(event.currentTarget.checked)}
              />
              As text
            </label>
            {isText ? (
              <pre class="mail-text" tabIndex={0}>
                {text}
              </pre>
            ) : (
              <MailHtml html={html} />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
