import { isBlank } from '../../platform/blank';
import type { DocumentRecord, PrintedAddress, PrintedSeller } from './documents.repository';
import { element, textElement, type XmlNode } from './xml';

/** Builds the seller, the buyer and their agreement (BG-4, BG-7). */
export function buildAgreement(
  { snapshot }: DocumentRecord,
  seller: PrintedSeller,
  buyer: PrintedAddress,
): XmlNode {
  const { vat_id, email, order_number } = snapshot;
  return element('ram:ApplicableHeaderTradeAgreement', {}, [
    element('ram:SellerTradeParty', {}, [
      // Sellers without a VAT id need another identifier (BR-CO-26).
      isBlank(seller.vat_id) ? textElement('ram:ID', seller.tax_number) : null,
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
      buildRegistration('VA', seller.vat_id),
    ]),
    element('ram:BuyerTradeParty', {}, [
      textElement('ram:Name', findName(buyer)),
      ...(isBlank(buyer.company)
        ? []
        : [element('ram:DefinedTradeContact', {}, [textElement('ram:PersonName', findPerson(buyer))])]),
      buildAddress(buyer),
      buildMailAddress(email),
      buildRegistration('VA', vat_id),
    ]),
    element('ram:BuyerOrderReferencedDocument', {}, [textElement('ram:IssuerAssignedID', order_number)]),
  ]);
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
