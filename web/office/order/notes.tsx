import { unwrap } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useMay } from '../access';
import { store } from '../office';
import { Act, onceAt } from '../parts/act';
import { EMAIL_FIELD, optional, textOf, type FieldSpec } from '../parts/fields';
import type { ShownOrder } from './order-query';

/** The key of the staff's note among the metadata of an order, which customers do not see. */
const NOTE = 'office_note';

const CONTACT: readonly FieldSpec[] = [
  EMAIL_FIELD,
  { name: 'special_instructions', label: 'Instructions of the buyer', kind: 'long' },
  { name: 'vat_id', label: 'VAT id' },
];

/** Who bought: the contact, the instructions, and a note that only the staff sees. */
export function Notes({ order, version }: ShownOrder) {
  const { number, email, user_id, special_instructions, vat_id, metadata = {} } = order;
  const may = useMay();
  const kept = metadata[NOTE];
  const note = typeof kept === 'string' ? kept : '';
  const save = (key: string, changed: Parameters<typeof update>[2]) => update(number, version, changed, key);
  return (
    <section class="box">
      <h2>Customer</h2>
      <p class="address">
        <span>
          {user_id !== null && may('customers:read') ? (
            <Link href={`/customers/${user_id}`}>{email}</Link>
          ) : (
            email
          )}
        </span>
        {user_id === null && <span class="quiet">Guest</span>}
        {vat_id !== null && <span>VAT id {vat_id}</span>}
        {special_instructions !== null && special_instructions !== '' && (
          <span>“{special_instructions}”</span>
        )}
      </p>
      {note !== '' && <p class="note">{note}</p>}
      <div class="actions">
        <Act
          name="Change"
          of="the contact"
          scope="orders:write"
          question={`Mails about order ${number} go to this address from now on.`}
          confirm="Save"
          done="The contact is saved."
          fields={CONTACT}
          initial={{
            email: email ?? '',
            special_instructions: special_instructions ?? '',
            vat_id: vat_id ?? '',
          }}
          act={(key, values) =>
            save(key, {
              email: textOf(values, 'email'),
              special_instructions: optional(values, 'special_instructions'),
              vat_id: optional(values, 'vat_id'),
            })
          }
        />
        <Act
          name={note === '' ? 'Add a note' : 'Change the note'}
          scope="orders:write"
          question="Only the staff sees the note."
          confirm="Save the note"
          done="The note is saved."
          fields={[{ name: 'metadata', label: 'Note', kind: 'long' }]}
          initial={{ metadata: note }}
          act={(key, values) => save(key, { metadata: { ...metadata, [NOTE]: textOf(values, 'metadata') } })}
        />
      </div>
    </section>
  );
}

interface Changed {
  email?: string;
  special_instructions?: string | null;
  vat_id?: string | null;
  metadata?: Record<string, unknown>;
}

const update = (number: string, version: string, order: Changed, key: string): Promise<unknown> =>
  unwrap(
    store.PUT('/api/v1/orders/{number}', {
      params: { path: { number } },
      headers: onceAt(key, version),
      body: { order },
    }),
  );
