import { findPrefecture } from '../../geography/countries/prefectures';
import { toPostalCode } from '../../platform/half-width';
import type { DocumentFormats } from './document-formats';
import type { PrintedAddress, PrintedSeller } from './documents.repository';

type Line = string | null | undefined;

const present = (lines: readonly Line[]): string[] =>
  lines.filter((line): line is string => line != null && line.trim() !== '');

const join = (parts: readonly Line[], separator = ' '): string => present(parts).join(separator);

/**
 * Lists the lines of an address of the customer. Japanese addresses begin with the postal code and end with the name, and
 * have no country if the store is in the same one.
 */
export function listAddressLines(address: PrintedAddress | null, formats: DocumentFormats): string[] {
  if (address === null) return [];
  const { firstname, lastname, company, address1, address2, zipcode, city, country_iso } = address;
  const country = formats.country(address);
  const state = findStateText(address, formats);
  if (country_iso === 'JP') {
    return present([
      writePostalCode(zipcode),
      join([state, city]),
      address1,
      address2,
      ...listAddressees({ company, name: `${lastname} ${firstname}`.trim() }, formats),
      formats.isJapanese && country === formats.sellerCountry ? null : country,
    ]);
  }
  const place = buildPlace({ zipcode, city, state, country_iso });
  return present([company, `${firstname} ${lastname}`, address1, address2, place, country]);
}

/** Japanese postal codes have a hyphen after the third digit, which customers often leave out, and one postal mark. */
const writePostalCode = (zipcode: Line): Line =>
  present([zipcode]).map(
    (code) =>
      `〒${toPostalCode(code)
        .trim()
        .replace(/^(\d{3})\s?(\d{4})$/, '$1-$2')}`,
  )[0];

/** A state as letters are addressed: its abbreviation, or its name where the code is a number, as in Japan and France. */
function findStateText(
  { state, state_name, country_iso }: PrintedAddress,
  { isJapanese }: DocumentFormats,
): string | null {
  if (state === null || !/\d/.test(state)) return state;
  const prefecture = isJapanese && country_iso === 'JP' ? findPrefecture(state) : null;
  return prefecture ?? state_name ?? state;
}

/** In Japanese, companies are addressed as 御中 and people as 様. */
function listAddressees(
  { company, name }: { company: string | null; name: string },
  { isJapanese }: DocumentFormats,
): Line[] {
  if (!isJapanese) return [company, name];
  return company === null || company.trim() === '' ? [`${name} 様`] : [`${company} 御中`, `${name} 様`];
}

/** The lines of the letterhead: the name first. */
export function listSellerLines(seller: PrintedSeller | null, formats: DocumentFormats): string[] {
  if (seller === null) return [];
  const { legal_name, issuer, name, url, email, phone } = seller;
  if (legal_name == null) return present([...(issuer ?? name).split(/\r?\n/), url, email]);
  const { address1, address2, zipcode, city, state, country_iso } = seller;
  const place =
    country_iso === 'JP'
      ? [
          writePostalCode(zipcode),
          join([join([state, city, address1], formats.isJapanese ? '' : ' '), address2]),
        ]
      : [address1, address2, buildPlace({ ...seller, zipcode: zipcode ?? '', city: city ?? '' })];
  return present([legal_name, ...place, formats.sellerCountry, phone, email, url]);
}

/** The columns at the end of each page: registration, bank, text. */
export function buildFooter(seller: PrintedSeller | null, { label }: DocumentFormats): string[][] {
  if (seller === null) return [];
  const named = (name: Parameters<typeof label>[0], value: Line): Line =>
    value == null || value === '' ? null : `${label(name)}: ${value}`;
  const columns = [
    present([named('tax_number', seller.tax_number), named('vat_id', seller.vat_id)]),
    present([seller.bank, named('iban', groupIban(seller.iban)), named('bic', seller.bic)]),
    present((seller.footer ?? '').split(/\r?\n/)),
  ];
  return columns.filter((lines) => lines.length > 0);
}

/** An IBAN in groups of four, as the standard prints it. Account numbers of countries without IBANs are unchanged. */
function groupIban(entered: Line): Line {
  const iban = entered?.replace(/\s/g, '');
  return iban !== undefined && /^[a-z]{2}\d{2}/i.test(iban) ? iban.replace(/.{4}(?=.)/g, '$& ') : entered;
}

/** City and postal code in the order of the country: `10115 Berlin`, `Bethesda, MD 20814`. */
function buildPlace(place: {
  zipcode: string;
  city: string;
  state?: string | null | undefined;
  country_iso?: string | null | undefined;
}): string {
  const { zipcode, city, state, country_iso } = place;
  const isCityFirst = ['US', 'CA', 'AU', 'GB', 'IE', 'NZ', 'IN', undefined, null].includes(country_iso);
  if (isCityFirst) return join([join([city, state], ', '), zipcode]);
  return join([join([zipcode, city]), state], ', ');
}
