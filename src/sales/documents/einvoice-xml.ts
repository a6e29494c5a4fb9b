import { formatDate } from '../../platform/calendar';
import { compareDecimals, formatPercent, sumDecimals } from '../../platform/money';
import { isZero, negateDecimal } from './decimal-text';
import type { DocumentFormats } from './document-formats';
import type { DocumentEntry, DocumentRecord, PrintedAddress, PrintedSeller } from './documents.repository';
import { element, writeXml, type XmlNode } from './xml';

/*
 * Electronic invoices by EN 16931 in the syntax of UN/CEFACT (Factur-X and ZUGFeRD, profile EN 16931). The numbers of its rules
 * and business terms (BR, BT) are those of the standard. The order of the elements is that of its schema.
 */

/** The profile of the XML. */
const GUIDELINE = 'urn:cen.eu:en16931:2017';

const TYPE_CODES = { invoice: '380', credit_note: '381', correction: '384' } as const;

const NAMESPACES = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
};

/** The tax of a line: its category, and for a taxed one the rate in percent; else why it is not taxed. */
interface Category {
  code: 'S' | 'Z' | 'G' | 'E';
  percent: string;
  reason: string | null;
}

interface Line {
  entry: DocumentEntry;
  name: string;
  quantity: number;
  net: string;
  tax: string;
  category: Category;
}

/** The sums of a category at a rate. `rounding` is what the document rounds once for all lines. */
interface CategorySum extends Category {
  net: string;
  tax: string;
  rounding: string;
}

/**
 * Builds the XML of a document for the programs of accountants.
 * @returns null if the standard cannot express the document: the seller has no country or no tax number, the customer no address,
 *   or a line has several taxes
 */
export function buildEinvoice(document: DocumentRecord, formats: DocumentFormats): string | null {
  const { seller, bill_address: buyer } = document.snapshot;
  if (seller?.country_iso == null || buyer?.country_iso === undefined) return null;
  if (isBlank(seller.vat_id) && isBlank(seller.tax_number)) return null;
  if (document.entries.some(({ taxes }) => taxes.length > 1)) return null;
  const lines = listLines(document, formats);
  const sums = sumCategories(document, lines);
  return writeXml(
    element('rsm:CrossIndustryInvoice', NAMESPACES, [
      element('rsm:ExchangedDocumentContext', {}, [
        element('ram:GuidelineSpecifiedDocumentContextParameter', {}, [text('ram:ID', GUIDELINE)]),
      ]),
      buildHeader(document),
      element('rsm:SupplyChainTradeTransaction', {}, [
        ...lines.map(buildLine),
        buildAgreement(document, seller, buyer),
        buildDelivery(document),
        buildSettlement(document, { lines, sums }, formats),
      ]),
    ]),
  );
}

function buildHeader({ number, kind, created_at, snapshot }: DocumentRecord): XmlNode {
  const notes = [snapshot.reason, snapshot.seller?.footer].filter((note) => !isBlank(note));
  return element('rsm:ExchangedDocument', {}, [
    text('ram:ID', number),
    text('ram:TypeCode', TYPE_CODES[kind]),
    element('ram:IssueDateTime', {}, [day(created_at, snapshot.time_zone)]),
    ...notes.map((note) => element('ram:IncludedNote', {}, [text('ram:Content', note)])),
  ]);
}

/** Credit notes have negative entries; in the XML their type says so (BT-3). */
function listLines(document: DocumentRecord, formats: DocumentFormats): Line[] {
  const sign = document.kind === 'credit_note' ? negateDecimal : (amount: string) => amount;
  return document.entries.map((entry) => {
    const [net, tax] = [sign(entry.net), sign(entry.tax)];
    const units = Math.abs(entry.quantity ?? 1) || 1;
    return {
      entry,
      name: entry.label ?? formats.label(entry.kind === 'freight' ? 'shipping' : 'amount'),
      // A price is never negative (BR-27), so the quantity is.
      quantity: compareDecimals(net, '0') < 0 ? -units : units,
      net,
      tax,
      category: findCategory(entry, formats),
    };
  });
}

function findCategory({ taxes: [tax], reason }: DocumentEntry, { label }: DocumentFormats): Category {
  if (tax !== undefined) {
    const isFree = isZero(tax.rate);
    return { code: isFree ? 'Z' : 'S', percent: twoDecimals(formatPercent(tax.rate)), reason: null };
  }
  const why = reason === null ? label('tax_free') : label(`reason_${reason}`);
  return { code: reason === 'export' ? 'G' : 'E', percent: '0.00', reason: why };
}

/**
 * Sums the lines by category and rate (BG-23). If the document rounds taxes once per rate, its printed sums apply, and the
 * difference of their net amounts is a charge or an allowance.
 */
function sumCategories({ snapshot }: DocumentRecord, lines: readonly Line[]): CategorySum[] {
  const sums = new Map<string, CategorySum>();
  for (const { category, net, tax } of lines) {
    const key = `${category.code} ${category.percent}`;
    const sum = sums.get(key) ?? { ...category, net: '0', tax: '0', rounding: '0' };
    sums.set(key, { ...sum, net: sumDecimals(sum.net, net), tax: sumDecimals(sum.tax, tax) });
  }
  return [...sums.values()].map((sum) => {
    const printed = snapshot.rates.filter(
      ({ rate }) => rate !== null && sum.reason === null && twoDecimals(formatPercent(rate)) === sum.percent,
    );
    if (printed.length === 0) return sum;
    const net = sumDecimals(...printed.map((one) => one.net));
    const tax = sumDecimals(...printed.map((one) => one.tax));
    return { ...sum, net, tax, rounding: sumDecimals(net, negateDecimal(sum.net)) };
  });
}

function buildLine({ entry, name, quantity, net, category }: Line, index: number): XmlNode {
  const price = compareDecimals(net, '0') < 0 ? negateDecimal(net) : net;
  const units = String(Math.abs(quantity));
  return element('ram:IncludedSupplyChainTradeLineItem', {}, [
    element('ram:AssociatedDocumentLineDocument', {}, [text('ram:LineID', String(index + 1))]),
    element('ram:SpecifiedTradeProduct', {}, [
      text('ram:SellerAssignedID', entry.sku),
      text('ram:Name', name),
      text('ram:Description', entry.options),
    ]),
    element('ram:SpecifiedLineTradeAgreement', {}, [
      // The price of all units, so that price and quantity give the amount exactly.
      element('ram:NetPriceProductTradePrice', {}, [
        text('ram:ChargeAmount', twoDecimals(price)),
        element('ram:BasisQuantity', { unitCode: 'C62' }, units),
      ]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', {}, [
      element('ram:BilledQuantity', { unitCode: 'C62' }, String(quantity)),
    ]),
    element('ram:SpecifiedLineTradeSettlement', {}, [
      element('ram:ApplicableTradeTax', {}, [
        text('ram:TypeCode', 'VAT'),
        text('ram:CategoryCode', category.code),
        text('ram:RateApplicablePercent', category.percent),
      ]),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', {}, [
        text('ram:LineTotalAmount', twoDecimals(net)),
      ]),
    ]),
  ]);
}

function buildAgreement({ snapshot }: DocumentRecord, seller: PrintedSeller, buyer: PrintedAddress): XmlNode {
  const { vat_id, email, order_number } = snapshot;
  return element('ram:ApplicableHeaderTradeAgreement', {}, [
    element('ram:SellerTradeParty', {}, [
      text('ram:Name', seller.legal_name ?? seller.name),
      element('ram:PostalTradeAddress', {}, [
        text('ram:PostcodeCode', seller.zipcode),
        text('ram:LineOne', seller.address1),
        text('ram:LineTwo', seller.address2),
        text('ram:CityName', seller.city),
        text('ram:CountryID', seller.country_iso),
      ]),
      buildMailAddress(seller.email),
      buildRegistration('FC', seller.tax_number),
      buildRegistration('VA', seller.vat_id),
    ]),
    element('ram:BuyerTradeParty', {}, [
      text('ram:Name', findName(buyer)),
      ...(isBlank(buyer.company)
        ? []
        : [element('ram:DefinedTradeContact', {}, [text('ram:PersonName', findPerson(buyer))])]),
      buildAddress(buyer),
      buildMailAddress(email),
      buildRegistration('VA', vat_id),
    ]),
    element('ram:BuyerOrderReferencedDocument', {}, [text('ram:IssuerAssignedID', order_number)]),
  ]);
}

const findPerson = ({ firstname, lastname }: PrintedAddress): string => `${firstname} ${lastname}`.trim();

const findName = (address: PrintedAddress): string =>
  isBlank(address.company) ? findPerson(address) : (address.company ?? '');

function buildAddress(address: PrintedAddress): XmlNode {
  return element('ram:PostalTradeAddress', {}, [
    text('ram:PostcodeCode', address.zipcode),
    text('ram:LineOne', address.address1),
    text('ram:LineTwo', address.address2),
    text('ram:CityName', address.city),
    text('ram:CountryID', address.country_iso),
    text('ram:CountrySubDivisionName', address.state),
  ]);
}

function buildMailAddress(address: string | null | undefined): XmlNode | null {
  if (isBlank(address)) return null;
  return element('ram:URIUniversalCommunication', {}, [
    element('ram:URIID', { schemeID: 'EM' }, address ?? ''),
  ]);
}

function buildRegistration(schemeID: 'FC' | 'VA', id: string | null | undefined): XmlNode | null {
  if (isBlank(id)) return null;
  return element('ram:SpecifiedTaxRegistration', {}, [element('ram:ID', { schemeID }, id ?? '')]);
}

function buildDelivery({ snapshot }: DocumentRecord): XmlNode {
  const { ship_address, supply, time_zone } = snapshot;
  return element('ram:ApplicableHeaderTradeDelivery', {}, [
    ...(ship_address?.country_iso === undefined
      ? []
      : [
          element('ram:ShipToTradeParty', {}, [
            text('ram:Name', findName(ship_address)),
            buildAddress(ship_address),
          ]),
        ]),
    element('ram:ActualDeliverySupplyChainEvent', {}, [
      element('ram:OccurrenceDateTime', {}, [day(supply.to, time_zone)]),
    ]),
  ]);
}

function buildSettlement(
  document: DocumentRecord,
  { lines, sums }: { lines: readonly Line[]; sums: readonly CategorySum[] },
  formats: DocumentFormats,
): XmlNode {
  const { snapshot, currency, number, kind } = document;
  const add = (values: readonly string[]): string => sumDecimals('0', ...values);
  const charges = sums.filter(({ rounding }) => compareDecimals(rounding, '0') > 0);
  const allowances = sums.filter(({ rounding }) => compareDecimals(rounding, '0') < 0);
  const basis = add(sums.map(({ net }) => net));
  const tax = add(sums.map((sum) => sum.tax));
  const total = sumDecimals(basis, tax);
  const paid = kind === 'invoice' ? snapshot.payments.filter(({ state }) => state === 'completed') : [];
  const prepaid = add(paid.map(({ amount }) => amount));
  const due = sumDecimals(total, negateDecimal(prepaid));
  const { invoice, supply, time_zone } = snapshot;
  const isPeriod = dayOf(supply.from, time_zone) !== dayOf(supply.to, time_zone);
  return element('ram:ApplicableHeaderTradeSettlement', {}, [
    text('ram:PaymentReference', number),
    text('ram:InvoiceCurrencyCode', currency),
    buildPaymentMeans(document),
    ...sums.map((sum) =>
      element('ram:ApplicableTradeTax', {}, [
        text('ram:CalculatedAmount', twoDecimals(sum.tax)),
        text('ram:TypeCode', 'VAT'),
        text('ram:ExemptionReason', sum.reason),
        text('ram:BasisAmount', twoDecimals(sum.net)),
        text('ram:CategoryCode', sum.code),
        text('ram:RateApplicablePercent', sum.percent),
      ]),
    ),
    isPeriod
      ? element('ram:BillingSpecifiedPeriod', {}, [
          element('ram:StartDateTime', {}, [day(supply.from, time_zone)]),
          element('ram:EndDateTime', {}, [day(supply.to, time_zone)]),
        ])
      : null,
    ...charges.map((sum) => buildRounding(sum, true)),
    ...allowances.map((sum) => buildRounding(sum, false)),
    element('ram:SpecifiedTradePaymentTerms', {}, [
      text('ram:Description', formats.label(isZero(due) ? 'payment_completed' : 'payment_due')),
    ]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', {}, [
      text('ram:LineTotalAmount', twoDecimals(add(lines.map(({ net }) => net)))),
      text('ram:ChargeTotalAmount', twoDecimals(add(charges.map(({ rounding }) => rounding)))),
      text(
        'ram:AllowanceTotalAmount',
        twoDecimals(add(allowances.map(({ rounding }) => negateDecimal(rounding)))),
      ),
      text('ram:TaxBasisTotalAmount', twoDecimals(basis)),
      element('ram:TaxTotalAmount', { currencyID: currency }, twoDecimals(tax)),
      text('ram:GrandTotalAmount', twoDecimals(total)),
      text('ram:TotalPrepaidAmount', twoDecimals(prepaid)),
      text('ram:DuePayableAmount', twoDecimals(due)),
    ]),
    invoice === null
      ? null
      : element('ram:InvoiceReferencedDocument', {}, [
          text('ram:IssuerAssignedID', invoice.number),
          element('ram:FormattedIssueDateTime', {}, [
            element('qdt:DateTimeString', { format: '102' }, dayOf(invoice.created_at, time_zone)),
          ]),
        ]),
  ]);
}

/** By card, else by transfer if the seller names an account, else not defined (UNTDID 4461). */
function buildPaymentMeans({ snapshot: { payments, seller } }: DocumentRecord): XmlNode {
  const card = payments.find(({ last_digits }) => !isBlank(last_digits));
  if (card !== undefined) {
    return element('ram:SpecifiedTradeSettlementPaymentMeans', {}, [
      text('ram:TypeCode', '48'),
      text('ram:Information', card.method),
    ]);
  }
  const iban = (seller?.iban ?? '').replace(/\s/g, '');
  if (!/^[A-Z]{2}\d{2}/.test(iban)) {
    return element('ram:SpecifiedTradeSettlementPaymentMeans', {}, [text('ram:TypeCode', '1')]);
  }
  return element('ram:SpecifiedTradeSettlementPaymentMeans', {}, [
    text('ram:TypeCode', '58'),
    element('ram:PayeePartyCreditorFinancialAccount', {}, [text('ram:IBANID', iban)]),
    isBlank(seller?.bic)
      ? null
      : element('ram:PayeeSpecifiedCreditorFinancialInstitution', {}, [
          text('ram:BICID', (seller?.bic ?? '').replace(/\s/g, '')),
        ]),
  ]);
}

function buildRounding({ rounding, code, percent }: CategorySum, isCharge: boolean): XmlNode {
  return element('ram:SpecifiedTradeAllowanceCharge', {}, [
    element('ram:ChargeIndicator', {}, [text('udt:Indicator', String(isCharge))]),
    text('ram:ActualAmount', twoDecimals(isCharge ? rounding : negateDecimal(rounding))),
    text('ram:Reason', 'Rounding'),
    element('ram:CategoryTradeTax', {}, [
      text('ram:TypeCode', 'VAT'),
      text('ram:CategoryCode', code),
      text('ram:RateApplicablePercent', percent),
    ]),
  ]);
}

const isBlank = (value: string | null | undefined): boolean => value == null || value.trim() === '';

/** Builds an element of text; null, which is left out, if it is blank. */
function text(name: string, value: string | null | undefined): XmlNode | null {
  return isBlank(value) ? null : element(name, {}, value ?? '');
}

const twoDecimals = (amount: string): string => {
  const [whole = '0', fraction = ''] = amount.split('.');
  const digits = fraction.replace(/0+$/, '');
  return `${whole}.${digits.padEnd(2, '0')}`;
};

const dayOf = (time: Date | string, timeZone: string): string =>
  formatDate(new Date(time), { format: 'YYYY-MM-DD', timeZone }).replaceAll('-', '');

const day = (time: Date | string, timeZone: string): XmlNode =>
  element('udt:DateTimeString', { format: '102' }, dayOf(time, timeZone));
