import { AS_RESTORED, buildRefusal, buildViolation, type Damage } from './damage';

const OF_UNPAID = 'WHERE order_id = :unpaid';

export const bookDamages: readonly Damage[] = [
  buildRefusal(
    'a book entry is changed',
    'book_entries_unchanged',
    `UPDATE book_entries SET net = net + 1 ${OF_UNPAID}`,
  ),
  buildRefusal('a book entry is deleted', 'book_entries_unchanged', `DELETE FROM book_entries ${OF_UNPAID}`),
  buildViolation(
    'a sale is not in the books',
    'books_equal_their_order',
    AS_RESTORED,
    `DELETE FROM book_entries ${OF_UNPAID}`,
  ),
  buildViolation(
    'a net amount in the books is larger',
    'books_equal_their_order',
    AS_RESTORED,
    `UPDATE book_entries SET net = net + 1 ${OF_UNPAID} AND kind = 'freight'`,
  ),
  buildViolation(
    'a refund in the books is lost',
    'books_equal_their_documents',
    AS_RESTORED,
    `DELETE FROM book_entries WHERE kind = 'refund'`,
  ),
  buildViolation(
    'an invoice lists a tax at another rate',
    'books_equal_their_documents_by_rate',
    AS_RESTORED,
    `UPDATE documents SET entries = jsonb_set(entries, '{0,taxes,0,rate}', '"0.05"') ${OF_UNPAID}`,
  ),
  buildViolation(
    'a net amount in the books is moved to another rate',
    'books_equal_their_documents_by_rate',
    AS_RESTORED,
    `UPDATE book_entries SET rate = 0.05 ${OF_UNPAID} AND kind = 'line'`,
  ),
  buildViolation(
    'a line item is taxed at another tax rate of the same percentage',
    'books_have_the_taxes_of_their_order',
    AS_RESTORED,
    `UPDATE adjustments SET source_id = source_id + 1000 ${OF_UNPAID} AND line_item_id IS NOT NULL AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'an amount without tax in the books has another reason',
    'books_equal_their_documents_by_reason',
    AS_RESTORED,
    `UPDATE book_entries SET reason = 'export' ${OF_UNPAID} AND reason = 'exempt'`,
  ),
  buildViolation(
    'an invoice lists an amount without tax for another reason',
    'books_equal_their_documents_by_reason',
    AS_RESTORED,
    `UPDATE documents SET entries = replace(entries::text, '"exempt"', '"export"')::jsonb ${OF_UNPAID} AND entries::text LIKE '%"exempt"%'`,
  ),
  buildViolation(
    'a sale is booked in the month before',
    'books_are_dated',
    AS_RESTORED,
    `UPDATE book_entries SET booked_at = booked_at - interval '1 month' ${OF_UNPAID}`,
  ),
  ...(['return', 'refund'] as const).map((kind) =>
    buildViolation(
      `a ${kind} is booked in the month after`,
      'books_are_dated',
      AS_RESTORED,
      `UPDATE book_entries SET booked_at = booked_at + interval '1 month' WHERE kind = '${kind}'`,
    ),
  ),
  buildViolation(
    'a sale is booked in another country',
    'books_name_the_country',
    AS_RESTORED,
    `UPDATE book_entries SET country_id = (SELECT id FROM countries WHERE iso = 'CA') ${OF_UNPAID}`,
  ),
  buildViolation(
    'a sale is booked as one of another variant',
    'books_equal_their_lines',
    AS_RESTORED,
    `UPDATE book_entries SET variant_id = (SELECT variant_id FROM line_items WHERE order_id = :paid) ${OF_UNPAID} AND kind = 'line'`,
  ),
  buildViolation(
    'a discount in the books is larger',
    'books_equal_their_lines',
    AS_RESTORED,
    `UPDATE book_entries SET discount_total = discount_total - 1 WHERE order_id = :promoted AND kind = 'line'`,
  ),
];
