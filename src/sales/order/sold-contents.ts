import type { AddressGraph } from '../../geography/addresses/addresses.repository';
import { formatDecimal } from '../../platform/money';
import { sumByVariant } from '../../platform/quantities';
import type { OrderGraph } from './order-graph';

export type ChangedSubject = 'order' | 'line_item' | 'shipment' | 'adjustment' | 'payment' | 'refund';

/** A value of the history, as JSON. Null for what does not exist. */
export type ChangedValue =
  string | number | boolean | null | { [key: string]: ChangedValue } | ChangedValue[];

/** One record of a sold order, and the values whose changes the history keeps. */
interface SoldRecord {
  subject_type: ChangedSubject;
  subject_id: number;
  /** What staff know the record by; null for a line item, which has the SKU of its variant. */
  label: string | null;
  values: Readonly<Record<string, ChangedValue>>;
}

/** What was sold, by a key of each record. States, taxes and promotions are not part of it: they follow from it. */
export type SoldContents = ReadonlyMap<string, SoldRecord>;

/** A change of one record: the values before and after. */
export interface ContentChange extends Pick<SoldRecord, 'subject_type' | 'subject_id' | 'label'> {
  changes: Readonly<Record<string, readonly [before: ChangedValue, after: ChangedValue]>>;
}

/** Builds the contents of an order with all its records. */
export function buildSoldContents(order: OrderGraph): SoldContents {
  const records = [
    buildOrderRecord(order),
    ...order.line_items.map(({ id, variant_id, quantity, price }): SoldRecord => ({
      subject_type: 'line_item',
      subject_id: id,
      label: null,
      values: { variant_id, quantity, price: formatDecimal(price) },
    })),
    ...order.shipments.map(buildShipmentRecord),
    ...buildAdjustmentRecords(order),
    ...order.payments.map(({ id, number, amount }): SoldRecord => ({
      subject_type: 'payment',
      subject_id: id,
      label: number,
      values: { amount: formatDecimal(amount) },
    })),
    ...buildRefundRecords(order),
  ];
  return new Map(records.map((record) => [`${record.subject_type} ${record.subject_id}`, record]));
}

function buildOrderRecord(order: OrderGraph): SoldRecord {
  const { id, number, email, user_id, special_instructions, vat_id } = order;
  return {
    subject_type: 'order',
    subject_id: id,
    label: number,
    values: {
      email,
      user_id,
      special_instructions,
      vat_id,
      bill_address: buildAddressValue(order.bill_address),
      ship_address: buildAddressValue(order.ship_address),
    },
  };
}

function buildAddressValue(address: AddressGraph | null): ChangedValue {
  if (address === null) return null;
  const { firstname, lastname, company, address1, address2, city, zipcode, phone, alternative_phone } =
    address;
  return {
    firstname,
    lastname,
    company,
    address1,
    address2,
    city,
    zipcode,
    phone,
    alternative_phone,
    state: address.state?.name ?? address.state_name,
    country: address.country.name,
  };
}

function buildShipmentRecord(shipment: OrderGraph['shipments'][number]): SoldRecord {
  const { id, number, cost, tracking, tracking_url, stock_location_name, rates, units } = shipment;
  return {
    subject_type: 'shipment',
    subject_id: id,
    label: number,
    values: {
      stock_location: stock_location_name,
      shipping_method: rates.find(({ selected }) => selected)?.shipping_method_name ?? null,
      cost: formatDecimal(cost),
      tracking,
      tracking_url,
      contents: sumByVariant(units).sort((one, other) => one.variant_id - other.variant_id),
    },
  };
}

/** Builds the adjustments that staff and returns made; those of taxes and promotions follow from the contents. */
function buildAdjustmentRecords({ adjustments }: OrderGraph): SoldRecord[] {
  const isDecided = (source: string | null) => source === null || source === 'Store::ReturnAuthorization';
  return adjustments.flatMap(({ id, source_type, label, amount, taxed }) =>
    isDecided(source_type)
      ? [
          {
            ...({ subject_type: 'adjustment', subject_id: id, label } as const),
            values: { label, amount: formatDecimal(amount), taxed: taxed || null },
          },
        ]
      : [],
  );
}

function buildRefundRecords({ payments }: OrderGraph): SoldRecord[] {
  return payments.flatMap(({ number, refunds }) =>
    refunds.map(({ id, amount, reason }) => ({
      ...({ subject_type: 'refund', subject_id: id, label: number } as const),
      values: { amount: formatDecimal(amount), reason },
    })),
  );
}

/** Lists what changed between two contents of an order. The creation of a payment is a change of its state only. */
export function listContentChanges(before: SoldContents, after: SoldContents): ContentChange[] {
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    const record = now ?? old;
    if (record === undefined || (record.subject_type === 'payment' && (!old || !now))) return [];
    const names = Object.keys(record.values);
    const changes = names.flatMap((name) => {
      const pair = [old?.values[name] ?? null, now?.values[name] ?? null] as const;
      return JSON.stringify(pair[0]) === JSON.stringify(pair[1]) ? [] : [[name, pair] as const];
    });
    if (changes.length === 0) return [];
    const { subject_type, subject_id, label } = record;
    return [{ subject_type, subject_id, label, changes: Object.fromEntries(changes) }];
  });
}
