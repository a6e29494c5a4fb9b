import { AS_RESTORED, buildRefusal, buildViolation, type Damage } from './damage';

const INVOICE = `WHERE kind = 'invoice' AND order_id = :unpaid`;
const CREDIT_NOTE = `WHERE kind = 'credit_note' AND order_id = :paid`;

export const documentDamages: readonly Damage[] = [
  buildViolation(
    'an invoice is deleted',
    'sold_orders_have_an_invoice',
    AS_RESTORED,
    `DELETE FROM documents ${INVOICE}`,
  ),
  buildViolation(
    'the deleted invoice leaves a gap',
    'document_numbers_have_no_gaps',
    AS_RESTORED,
    `DELETE FROM documents ${INVOICE}`,
  ),
  buildViolation(
    'a counter is reset',
    'document_numbers_have_no_gaps',
    `UPDATE document_counters SET last_sequence = last_sequence - 1 WHERE kind = 'invoice'`,
  ),
  buildViolation(
    'a counter is lost',
    'document_numbers_have_no_gaps',
    `DELETE FROM document_counters WHERE kind = 'credit_note'`,
  ),
  buildViolation(
    'a credit note is deleted',
    'refunds_have_a_credit_note',
    AS_RESTORED,
    `DELETE FROM documents WHERE kind = 'credit_note' AND order_id = :paid`,
  ),
  buildViolation(
    'the total of a credit note is larger',
    'refunds_have_a_credit_note',
    AS_RESTORED,
    `UPDATE documents SET total = total + 1 WHERE kind = 'credit_note' AND order_id = :paid`,
  ),
  buildViolation(
    'an invoice prints another net amount',
    'documents_add_up',
    AS_RESTORED,
    `UPDATE documents SET snapshot = jsonb_set(snapshot, '{rates,0,net}', '"7"') ${INVOICE}`,
  ),
  buildViolation(
    'an invoice prints another total',
    'documents_add_up',
    AS_RESTORED,
    `UPDATE documents SET total = total + 1 ${INVOICE}`,
  ),
  buildViolation(
    'an order costs more than its invoice',
    'documents_equal_their_order',
    AS_RESTORED,
    `UPDATE documents SET total = total + 1, snapshot = jsonb_set(snapshot, '{total}', to_jsonb((total + 1)::text)) ${INVOICE}`,
  ),
  buildViolation(
    'the documents of an order are worth less than it',
    'documents_equal_their_order',
    AS_RESTORED,
    `UPDATE documents SET kind = 'credit_note', sequence = sequence + 1000000 ${INVOICE}`,
  ),
  buildViolation(
    'an entry of an invoice has another tax',
    'documents_add_up',
    AS_RESTORED,
    `UPDATE documents SET entries = jsonb_set(entries, '{0,tax}', '"9.99"') ${INVOICE}`,
  ),
  buildViolation(
    'an invoice prints the number of another series',
    'documents_have_their_number',
    AS_RESTORED,
    `UPDATE documents SET number = 'X' || number ${INVOICE}`,
  ),
  buildViolation(
    'what a refund takes back is changed',
    'refunds_have_a_credit_note',
    `UPDATE refund_credits SET amount = amount + 0.01 WHERE amount > 0`,
  ),
  buildViolation(
    'an order is in another currency than its invoice',
    'documents_name_their_order',
    `UPDATE orders SET currency = 'EUR' WHERE id = :unpaid`,
  ),
  buildViolation(
    'an order was completed a day later than its invoice prints',
    'documents_name_their_order',
    `UPDATE orders SET completed_at = completed_at + interval '1 day' WHERE id = :shipped`,
  ),
  buildViolation(
    'a credit note has the number of another order',
    'documents_name_their_order',
    AS_RESTORED,
    `UPDATE documents SET snapshot = jsonb_set(snapshot, '{order_number}', '"R1"') WHERE kind = 'credit_note' AND order_id = :paid`,
  ),
  buildViolation(
    'a change without a document is worth something',
    'document_offsets_cancel_out',
    `INSERT INTO document_offsets (order_id, entries)
     SELECT order_id, entries FROM documents ${INVOICE}`,
  ),
  buildViolation(
    'a refund is offset that no return explains',
    'documents_equal_their_order',
    `INSERT INTO document_offsets (order_id, entries)
     SELECT order_id, jsonb_build_array(entry || '{"kind": "refund"}', negate_entries(jsonb_build_array(entry)) -> 0)
       FROM documents CROSS JOIN LATERAL (SELECT entries -> 0 AS entry) first ${INVOICE}`,
  ),
  buildViolation(
    'an invoice prints its amounts at another rate',
    'documents_print_what_they_list',
    AS_RESTORED,
    `UPDATE documents SET snapshot = jsonb_set(snapshot, '{rates,0,rate}', '"0.05"') ${INVOICE}`,
  ),
  buildViolation(
    'an invoice prints a cent of tax as net amount',
    'documents_print_what_they_list',
    AS_RESTORED,
    `UPDATE documents SET snapshot = snapshot || jsonb_build_object(
       'net_total', ((snapshot ->> 'net_total')::numeric + 0.01)::text,
       'tax_total', ((snapshot ->> 'tax_total')::numeric - 0.01)::text,
       'rates', jsonb_set(jsonb_set(snapshot -> 'rates',
         '{0,net}', to_jsonb(((snapshot #>> '{rates,0,net}')::numeric + 0.01)::text)),
         '{0,tax}', to_jsonb(((snapshot #>> '{rates,0,tax}')::numeric - 0.01)::text))) ${INVOICE}`,
  ),
  ...(
    [
      ['quantity', '1'],
      ['price', '"1.00"'],
      ['discount', '"-1.00"'],
    ] as const
  ).map(([field, value]) =>
    buildViolation(
      `a line of an invoice has another ${field}`,
      'invoiced_lines_are_their_price',
      AS_RESTORED,
      `UPDATE documents SET entries = jsonb_set(entries, '{0,${field}}', '${value}') ${INVOICE}`,
    ),
  ),
  buildViolation(
    'a credit note names another invoice',
    'documents_name_their_invoice',
    AS_RESTORED,
    `UPDATE documents SET snapshot = jsonb_set(snapshot, '{invoice,number}', '"INV-999999"') WHERE kind = 'credit_note' AND order_id = :paid`,
  ),
  buildViolation(
    'an invoice is dated back to the month before',
    'documents_are_dated',
    AS_RESTORED,
    `UPDATE documents SET created_at = created_at - interval '1 month' ${INVOICE}`,
  ),
  buildViolation(
    'a credit note is dated to the month after',
    'documents_are_dated',
    AS_RESTORED,
    `UPDATE documents SET created_at = created_at + interval '1 month' WHERE kind = 'credit_note' AND order_id = :paid`,
  ),
  buildViolation(
    'an order has the invoice of another system beside its own',
    'kept_invoices_begin_the_documents',
    `INSERT INTO kept_invoices VALUES (:unpaid, 'OLD-1', now())`,
  ),
  ...(
    [
      ['an invoice prints another IBAN', 'snapshot', '{seller,iban}', '"DE02120300000000202051"', INVOICE],
      [
        'an invoice prints another VAT id of the seller',
        'snapshot',
        '{seller,vat_id}',
        '"DE136695976"',
        INVOICE,
      ],
      [
        'an invoice prints another VAT id of the customer',
        'snapshot',
        '{vat_id}',
        '"FR40303265045"',
        INVOICE,
      ],
      [
        'an invoice prints another date of supply',
        'snapshot',
        '{supply,from}',
        '"2026-01-01T00:00:00Z"',
        INVOICE,
      ],
      ['an invoice prints another bill address', 'snapshot', '{bill_address,city}', '"Elsewhere"', INVOICE],
      [
        'a credit note prints another ship address',
        'snapshot',
        '{ship_address,zipcode}',
        '"00000"',
        CREDIT_NOTE,
      ],
      [
        'a credit note prints another reference of the payment',
        'snapshot',
        '{payment_number}',
        '"P1"',
        CREDIT_NOTE,
      ],
      ['a line of an invoice has another SKU', 'entries', '{0,sku}', '"OTHER"', INVOICE],
      ['a line of an invoice has another name', 'entries', '{0,label}', '"Other"', INVOICE],
    ] as const
  ).map(([name, column, path, value, of]) =>
    buildViolation(
      name,
      'documents_are_as_made',
      AS_RESTORED,
      `UPDATE documents SET ${column} = jsonb_set(${column}, '${path}', '${value}', false) ${of}`,
    ),
  ),
  buildViolation(
    'an invoice is dated back by a minute',
    'documents_are_as_made',
    AS_RESTORED,
    `UPDATE documents SET created_at = created_at - interval '1 minute' ${INVOICE}`,
  ),
  buildViolation(
    'the digest of an invoice is changed',
    'documents_are_as_made',
    AS_RESTORED,
    `UPDATE documents SET digest = sha256(digest) ${INVOICE}`,
  ),
  buildRefusal('an invoice is changed', 'documents_unchanged', `UPDATE documents SET total = 0 ${INVOICE}`),
  buildRefusal('an invoice is deleted by its owner', 'documents_kept', `DELETE FROM documents ${INVOICE}`),
  buildRefusal(
    'an order gets a second invoice',
    'documents_one_invoice',
    `INSERT INTO documents (store_id, order_id, kind, series, sequence, number, currency, total, snapshot)
     SELECT store_id, order_id, kind, series, 1000000, number, currency, total, snapshot FROM documents ${INVOICE}`,
  ),
];
