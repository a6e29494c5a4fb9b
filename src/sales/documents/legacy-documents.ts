import type { DocumentEntry, DocumentRecord, DocumentSnapshot } from './documents.repository';

/** What documents of the version before print: amounts without rates. */
interface LegacySnapshot {
  seller: DocumentSnapshot['seller'];
  format: Pick<DocumentSnapshot, 'date_format' | 'time_zone'> | null;
  order_number: string;
  completed_at: string | null;
  email: string | null;
  bill_address: DocumentSnapshot['bill_address'];
  ship_address?: DocumentSnapshot['ship_address'];
  lines?: {
    sku: string;
    name: string;
    options: string | null;
    quantity: number;
    price: string;
    amount: string;
  }[];
  charges?: { label: string; included: boolean; amount: string }[];
  ship_total?: string;
  total: string;
}

/** Returns a document of the version before as documents are now: with entries, which have no rates. */
export function upgradeDocument(document: DocumentRecord): DocumentRecord {
  if (document.snapshot.version !== undefined) return document;
  // Snapshots without a version have this form.
  const legacy = document.snapshot as unknown as LegacySnapshot;
  const made = document.created_at.toISOString();
  return {
    ...document,
    entries:
      document.kind === 'invoice'
        ? listEntries(legacy)
        : [buildEntry({ kind: 'refund', amount: `-${legacy.total}` })],
    snapshot: {
      ...legacy,
      locale: 'en',
      texts: {},
      einvoice: false,
      vat_id: null,
      payments: [],
      rates: [],
      tax_total: '0',
      date_format: legacy.format?.date_format ?? 'YYYY-MM-DD',
      time_zone: legacy.format?.time_zone ?? 'UTC',
      ship_address: legacy.ship_address ?? null,
      invoice: null,
      supply: { from: legacy.completed_at ?? made, to: legacy.completed_at ?? made },
      net_total: legacy.total,
    },
  };
}

function listEntries({ lines = [], charges = [], ship_total = '0' }: LegacySnapshot): DocumentEntry[] {
  return [
    ...lines.map(({ name, sku, options, quantity, price, amount }) => ({
      ...buildEntry({ kind: 'line', label: name, amount }),
      sku,
      options,
      quantity,
      price,
    })),
    buildEntry({ kind: 'freight', amount: ship_total }),
    ...charges
      .filter(({ included }) => !included)
      .map(({ label, amount }) => buildEntry({ kind: 'adjustment', label, amount })),
  ];
}

function buildEntry({
  kind,
  label = null,
  amount,
}: {
  kind: DocumentEntry['kind'];
  label?: string | null;
  amount: string;
}): DocumentEntry {
  return {
    key: kind,
    kind,
    label,
    sku: null,
    options: null,
    quantity: null,
    price: null,
    reason: null,
    discount: '0',
    relief: '0',
    net: amount,
    taxes: [],
    tax: '0',
    total: amount,
  };
}
