/** A buyer in the demo store. Telephone numbers are from the range reserved for fiction (555-0100 to 555-0199). */
export interface Person {
  readonly firstname: string;
  readonly lastname: string;
  readonly address1: string;
  readonly city: string;
  /** Abbreviation of the state or province. */
  readonly state: string;
  readonly country: 'US' | 'CA';
  readonly zipcode: string;
  readonly phone: string;
  /** People without an account buy as guests. */
  readonly has_account: boolean;
}

type Row = readonly [
  name: string,
  address1: string,
  city: string,
  state: string,
  zipcode: string,
  phone: string,
];

const WITH_ACCOUNT: readonly Row[] = [
  ['Maya Lindqvist', '418 Alder St', 'Portland', 'OR', '97205', '503-555-0114'],
  ['Daniel Okafor', '2207 W Cortez St', 'Chicago', 'IL', '60622', '312-555-0131'],
  ['Priya Raman', '96 Forsyth St, Apt 5', 'New York', 'NY', '10002', '212-555-0177'],
  ['Tomás Herrera', '1530 Guadalupe St', 'Austin', 'TX', '78701', '512-555-0149'],
  ['Hannah Weiss', '77 Prospect Ave', 'Burlington', 'VT', '05401', '802-555-0102'],
  ['Kenji Morita', '3312 Telegraph Ave', 'Oakland', 'CA', '94609', '510-555-0168'],
  ['Grace Mbeki', '640 Peachtree St NE', 'Atlanta', 'GA', '30308', '404-555-0125'],
  ['Sofia Petrov', '19 Linden Ln', 'Bethesda', 'MD', '20814', '301-555-0190'],
  ['Luc Tremblay', '4820 Rue Saint-Denis', 'Montréal', 'QC', 'H2J 2L6', '514-555-0143'],
  ['Ellen Fairweather', '208 Garden Hwy', 'Boulder', 'CO', '80302', '303-555-0186'],
  ['Omar Haddad', '5561 Cass Ave', 'Detroit', 'MI', '48202', '313-555-0119'],
  ['Ruth Castellano', '31 Wickenden St', 'Providence', 'RI', '02903', '401-555-0156'],
];

const GUESTS: readonly Row[] = [
  ['Jonas Albrecht', '902 E Pine St', 'Seattle', 'WA', '98122', '206-555-0108'],
  ['Amara Diallo', '1444 Magazine St', 'New Orleans', 'LA', '70130', '504-555-0137'],
  ['Peter Novak', '275 Lake Shore Dr', 'Cleveland', 'OH', '44114', '216-555-0172'],
  ['Claire Whitfield', '60 Beacon St', 'Boston', 'MA', '02108', '617-555-0121'],
  ['Victor Sandoval', '712 Canyon Rd', 'Santa Fe', 'NM', '87501', '505-555-0160'],
  ['Ingrid Solberg', '1810 Hennepin Ave', 'Minneapolis', 'MN', '55403', '612-555-0194'],
  ['Noah Feldman', '345 Queen St W', 'Toronto', 'ON', 'M5V 2A4', '416-555-0112'],
  ['Teresa Quinn', '88 Monument Ave', 'Richmond', 'VA', '23220', '804-555-0183'],
];

const CANADIAN = ['QC', 'ON'];

function createPerson([name, address1, city, state, zipcode, phone]: Row, has_account: boolean): Person {
  const [firstname = '', ...rest] = name.split(' ');
  const country = CANADIAN.includes(state) ? 'CA' : 'US';
  return { firstname, lastname: rest.join(' '), address1, city, state, country, zipcode, phone, has_account };
}

/** All buyers; those with an account come first. */
export const PEOPLE: readonly Person[] = [
  ...WITH_ACCOUNT.map((row) => createPerson(row, true)),
  ...GUESTS.map((row) => createPerson(row, false)),
];

/** The employee who appears in the history for shipping and returns. The account has no role and no permissions. */
export const CLERK: Person = createPerson(
  ['Robin Ashworth', '100 Warehouse Rd', 'Baltimore', 'MD', '21201', '410-555-0100'],
  true,
);

/** The password of every customer of the demo store. They have no permissions beyond their own account and orders. */
export const DEMO_PASSWORD = 'demo-customer';

/** Returns the person's e-mail address at example.com, a reserved domain (RFC 2606). */
export function emailOf({ firstname, lastname }: Person): string {
  const plain = (word: string) => word.normalize('NFD').replace(/[^A-Za-z]/g, '');
  return `${plain(firstname)}.${plain(lastname)}@example.com`.toLowerCase();
}
