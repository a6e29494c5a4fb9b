import { isBlank } from '../../platform/blank';
import { formatDate } from '../../platform/calendar';
import { compareDecimals, sumDecimals } from '../../platform/money';
import { isZero, negateDecimal } from './decimal-text';
import type { DocumentFormats } from './document-formats';
import type { DocumentEntry, DocumentRecord } from './documents.repository';
import { listLines, sumCategories, twoDecimals, type CategorySum, type Line } from './einvoice-lines';
import { buildAddress, buildAgreement, findName, findVatId } from './einvoice-parties';
import { element, textElement, writeXml, type XmlNode } from './xml';

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

/**
 * Builds the XML of a document for the programs of accountants.
 * @returns null if the standard cannot express the document: the seller has no country, no tax number or for an export no VAT id,
 *   the customer no address, or a line has several taxes
 */
export function buildEinvoice(document: DocumentRecord, formats: DocumentFormats): string | null {
  const { seller, bill_address: buyer } = document.snapshot;
  if (seller?.country_iso == null || buyer?.country_iso === undefined) return null;
  if (findVatId(seller.vat_id) === null && isBlank(seller.tax_number)) return null;
  if (document.entries.some(({ taxes }) => taxes.length > 1)) return null;
  const lines = listLines(document, formats);
  const sums = sumCategories(document, lines);
  // An export needs the VAT id of the seller (BR-G-02).
  if (findVatId(seller.vat_id) === null && sums.some(({ code }) => code === 'G')) return null;
  return writeXml(
    element('rsm:CrossIndustryInvoice', NAMESPACES, [
      element('rsm:ExchangedDocumentContext', {}, [
        element('ram:GuidelineSpecifiedDocumentContextParameter', {}, [textElement('ram:ID', GUIDELINE)]),
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
    textElement('ram:ID', number),
    textElement('ram:TypeCode', TYPE_CODES[kind]),
    element('ram:IssueDateTime', {}, [day(created_at, snapshot.time_zone)]),
    ...notes.map((note) => element('ram:IncludedNote', {}, [textElement('ram:Content', note)])),
  ]);
}

function buildLine({ entry, name, quantity, net, category }: Line, index: number): XmlNode {
  const price = compareDecimals(net, '0') < 0 ? negateDecimal(net) : net;
  const units = String(Math.abs(quantity));
  return element('ram:IncludedSupplyChainTradeLineItem', {}, [
    element('ram:AssociatedDocumentLineDocument', {}, [textElement('ram:LineID', String(index + 1))]),
    element('ram:SpecifiedTradeProduct', {}, [
      textElement('ram:SellerAssignedID', entry.sku),
      textElement('ram:Name', name),
      textElement('ram:Description', describeProduct(entry)),
    ]),
    element('ram:SpecifiedLineTradeAgreement', {}, [
      // The price of all units, so that price and quantity give the amount exactly.
      element('ram:NetPriceProductTradePrice', {}, [
        textElement('ram:ChargeAmount', twoDecimals(price)),
        element('ram:BasisQuantity', { unitCode: 'C62' }, units),
      ]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', {}, [
      element('ram:BilledQuantity', { unitCode: 'C62' }, String(quantity)),
    ]),
    element('ram:SpecifiedLineTradeSettlement', {}, [
      element('ram:ApplicableTradeTax', {}, [
        textElement('ram:TypeCode', 'VAT'),
        textElement('ram:CategoryCode', category.code),
        textElement('ram:RateApplicablePercent', category.percent),
      ]),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', {}, [
        textElement('ram:LineTotalAmount', twoDecimals(net)),
      ]),
    ]),
  ]);
}

const describeProduct = ({ options, charges = [] }: DocumentEntry): string =>
  [options, ...charges.map(({ label }) => label)].filter((text) => !isBlank(text)).join(', ');

function buildDelivery({ snapshot }: DocumentRecord): XmlNode {
  const { ship_address, supply, time_zone } = snapshot;
  return element('ram:ApplicableHeaderTradeDelivery', {}, [
    ...(ship_address?.country_iso === undefined
      ? []
      : [
          element('ram:ShipToTradeParty', {}, [
            textElement('ram:Name', findName(ship_address)),
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
    textElement('ram:PaymentReference', number),
    textElement('ram:InvoiceCurrencyCode', currency),
    buildPaymentMeans(document),
    ...sums.map((sum) =>
      element('ram:ApplicableTradeTax', {}, [
        textElement('ram:CalculatedAmount', twoDecimals(sum.tax)),
        textElement('ram:TypeCode', 'VAT'),
        textElement('ram:ExemptionReason', sum.reason),
        textElement('ram:BasisAmount', twoDecimals(sum.net)),
        textElement('ram:CategoryCode', sum.code),
        textElement('ram:RateApplicablePercent', sum.percent),
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
      textElement('ram:Description', formats.label(isZero(due) ? 'payment_completed' : 'payment_due')),
    ]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', {}, [
      textElement('ram:LineTotalAmount', twoDecimals(add(lines.map(({ net }) => net)))),
      textElement('ram:ChargeTotalAmount', twoDecimals(add(charges.map(({ rounding }) => rounding)))),
      textElement(
        'ram:AllowanceTotalAmount',
        twoDecimals(add(allowances.map(({ rounding }) => negateDecimal(rounding)))),
      ),
      textElement('ram:TaxBasisTotalAmount', twoDecimals(basis)),
      element('ram:TaxTotalAmount', { currencyID: currency }, twoDecimals(tax)),
      textElement('ram:GrandTotalAmount', twoDecimals(total)),
      textElement('ram:TotalPrepaidAmount', twoDecimals(prepaid)),
      textElement('ram:DuePayableAmount', twoDecimals(due)),
    ]),
    invoice === null
      ? null
      : element('ram:InvoiceReferencedDocument', {}, [
          textElement('ram:IssuerAssignedID', invoice.number),
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
      textElement('ram:TypeCode', '48'),
      textElement('ram:Information', card.method),
    ]);
  }
  const iban = (seller?.iban ?? '').replace(/\s/g, '');
  if (!/^[A-Z]{2}\d{2}/.test(iban)) {
    return element('ram:SpecifiedTradeSettlementPaymentMeans', {}, [textElement('ram:TypeCode', '1')]);
  }
  return element('ram:SpecifiedTradeSettlementPaymentMeans', {}, [
    textElement('ram:TypeCode', '58'),
    element('ram:PayeePartyCreditorFinancialAccount', {}, [textElement('ram:IBANID', iban)]),
    isBlank(seller?.bic)
      ? null
      : element('ram:PayeeSpecifiedCreditorFinancialInstitution', {}, [
          textElement('ram:BICID', (seller?.bic ?? '').replace(/\s/g, '')),
        ]),
  ]);
}

function buildRounding({ rounding, code, percent }: CategorySum, isCharge: boolean): XmlNode {
  return element('ram:SpecifiedTradeAllowanceCharge', {}, [
    element('ram:ChargeIndicator', {}, [textElement('udt:Indicator', String(isCharge))]),
    textElement('ram:ActualAmount', twoDecimals(isCharge ? rounding : negateDecimal(rounding))),
    textElement('ram:Reason', 'Rounding'),
    element('ram:CategoryTradeTax', {}, [
      textElement('ram:TypeCode', 'VAT'),
      textElement('ram:CategoryCode', code),
      textElement('ram:RateApplicablePercent', percent),
    ]),
  ]);
}

const dayOf = (time: Date | string, timeZone: string): string =>
  formatDate(new Date(time), { format: 'YYYY-MM-DD', timeZone }).replaceAll('-', '');

const day = (time: Date | string, timeZone: string): XmlNode =>
  element('udt:DateTimeString', { format: '102' }, dayOf(time, timeZone));
