import { isBlank } from '../../platform/blank';
import type { DocumentRecord, PrintedAddress, PrintedSeller } from './documents.repository';
import { element, textElement, type XmlNode } from './xml';

/** Builds the seller, the buyer and their agreement (BG-4, BG-7). */
export function buildAgreement(
  { snapshot }: DocumentRecord,
  seller: PrintedSeller,
  buyer: PrintedAddress,
): XmlNode {
  const { email, order_number } = snapshot;
  const vatId = findVatId(seller.vat_id);
  return element('ram:ApplicableHeaderTradeAgreement', {}, [
    element('ram:SellerTradeParty', {}, [
      // Sellers without a VAT id need another identifier (BR-CO-26).
      vatId === null ? textElement('ram:ID', seller.tax_number) : null,
      textElement('ram:Name', seller.legal_name ?? seller.name),
      element('ram:PostalTradeAddress', {}, [
        textElement('ram:PostcodeCode', seller.zipcode),
        textElement('ram:LineOne', seller.address1),
        textElement('ram:LineTwo', seller.address2),
        textElement('ram:CityName', seller.city),
        textElement('ram:CountryID', seller.country_iso),
      ]),
      buildMailAddress(seller.email),
      buildRegistration('FC', seller.tax_number),
      buildRegistration('VA', vatId),
    ]),
    element('ram:BuyerTradeParty', {}, [
      textElement('ram:Name', findName(buyer)),
      ...(isBlank(buyer.company)
        ? []
        : [element('ram:DefinedTradeContact', {}, [textElement('ram:PersonName', findPerson(buyer))])]),
      buildAddress(buyer),
      buildMailAddress(email),
      buildRegistration('VA', findVatId(snapshot.vat_id)),
    ]),
    element('ram:BuyerOrderReferencedDocument', {}, [textElement('ram:IssuerAssignedID', order_number)]),
  ]);
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Greece and Northern Ireland have prefixes of their own. Intl also has names of regions that are no countries. */
const isVatPrefix = (code: string): boolean =>
  ['EL', 'XI'].includes(code) ||
  (countries.of(code) !== undefined &&
    new Intl.Locale(`und-${code}`).region === code &&
    !['EU', 'EZ', 'UN', 'ZZ'].includes(code));

/**
 * Returns a VAT id without blanks and punctuation, as programs compare it. Null for what begins with no country (BR-CO-09), such as
 * a tax number: what the customer entered is printed only.
 */
export function findVatId(text: string | null | undefined): string | null {
  const id = (text ?? '')
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  return /^[A-Z]{2,4}\d/.test(id) && isVatPrefix(id.slice(0, 2)) ? id : null;
}

const findPerson = ({ firstname, lastname }: PrintedAddress): string => `${firstname} ${lastname}`.trim();

/** Returns the name of a party: its company, else the person. */
export const findName = (address: PrintedAddress): string =>
  isBlank(address.company) ? findPerson(address) : (address.company ?? '');

/** Builds the address of a customer. */
export function buildAddress(address: PrintedAddress): XmlNode {
  return element('ram:PostalTradeAddress', {}, [
    textElement('ram:PostcodeCode', address.zipcode),
    textElement('ram:LineOne', address.address1),
    textElement('ram:LineTwo', address.address2),
    textElement('ram:CityName', address.city),
    textElement('ram:CountryID', address.country_iso),
    textElement('ram:CountrySubDivisionName', address.state),
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
