/**
 * Corrections to the data packages of scripts/build-reference-data.ts: entries that are outdated, or spelled in a way
 * that customers would not look for in an address form. Each entry states its reason; all other data is used unchanged.
 */

/** Common short names, where the package has a long, inverted or unaccented form. */
export const COUNTRY_NAMES: Readonly<Record<string, string>> = {
  CG: 'Congo',
  CI: "Côte d'Ivoire",
  CN: 'China',
  CV: 'Cabo Verde',
  CZ: 'Czechia',
  FM: 'Micronesia',
  GM: 'Gambia',
  IR: 'Iran',
  MD: 'Moldova',
  MK: 'North Macedonia',
  PS: 'Palestine',
  RE: 'Réunion',
  TW: 'Taiwan',
  TZ: 'Tanzania',
  US: 'United States',
};

/** Codes in the package that ISO 3166-1 does not assign: XK (Kosovo) is user-assigned. */
export const NOT_IN_ISO_3166_1: ReadonlySet<string> = new Set(['XK']);

/** How the subdivisions of one country become its states. */
export interface StateSource {
  /** The kinds of subdivision used in postal addresses, as named by iso-3166-2. */
  readonly types: readonly string[];
  /** The expected number of states, to detect changes of the package. */
  readonly count: number;
  /** Whether an address requires a state. */
  readonly required: boolean;
  /** Codes in the package that no longer exist, or that are separate countries in ISO 3166-1. */
  readonly dropped?: readonly string[];
  /** Codes that ISO has changed: old code to new code. */
  readonly recoded?: Readonly<Record<string, string>>;
  /** Names by new code that are outdated, missing or marked with a footnote in the package. */
  readonly named?: Readonly<Record<string, string>>;
}

/**
 * The countries with subdivisions in addresses. `required` follows the address templates of the Universal Postal Union.
 * In Germany and the United Kingdom a state is optional. The United Kingdom is divided into its four nations, because
 * councils are reorganized every few years and are not part of postal addresses.
 */
export const STATE_SOURCES: Readonly<Record<string, StateSource>> = {
  AE: {
    types: ['Emirate'],
    count: 7,
    required: true,
    // The package transliterates; these are the official English names.
    named: {
      AJ: 'Ajman',
      AZ: 'Abu Dhabi',
      DU: 'Dubai',
      FU: 'Fujairah',
      RK: 'Ras Al Khaimah',
      SH: 'Sharjah',
      UQ: 'Umm Al Quwain',
    },
  },
  AU: { types: ['State', 'Territory'], count: 8, required: true },
  BR: { types: ['State', 'Federal district'], count: 27, required: true },
  CA: { types: ['Province', 'Territory'], count: 13, required: true },
  CN: {
    types: ['Province', 'Municipality', 'Autonomous region'],
    count: 31,
    required: true,
    dropped: ['71'], // Taiwan is TW in ISO 3166-1, as Hong Kong is HK and Macao MO.
    // ISO replaced digits with letters in November 2017.
    recoded: {
      '11': 'BJ',
      '12': 'TJ',
      '13': 'HE',
      '14': 'SX',
      '15': 'NM',
      '21': 'LN',
      '22': 'JL',
      '23': 'HL',
      '31': 'SH',
      '32': 'JS',
      '33': 'ZJ',
      '34': 'AH',
      '35': 'FJ',
      '36': 'JX',
      '37': 'SD',
      '41': 'HA',
      '42': 'HB',
      '43': 'HN',
      '44': 'GD',
      '45': 'GX',
      '46': 'HI',
      '50': 'CQ',
      '51': 'SC',
      '52': 'GZ',
      '53': 'YN',
      '54': 'XZ',
      '61': 'SN',
      '62': 'GS',
      '63': 'QH',
      '64': 'NX',
      '65': 'XJ',
    },
  },
  DE: { types: ['Länder'], count: 16, required: false },
  ES: {
    types: ['Province', 'Autonomous city in north africa'],
    count: 52,
    required: true,
    // The package marks regional names with a star; these are the names used in addresses.
    named: {
      A: 'Alicante',
      BI: 'Bizkaia',
      CS: 'Castellón',
      NA: 'Navarra',
      PM: 'Illes Balears',
      SS: 'Gipuzkoa',
    },
  },
  GB: { types: ['Country', 'Province'], count: 4, required: false },
  IN: {
    types: ['State', 'Union territory'],
    count: 36,
    required: true,
    // Merged into one union territory in January 2020; Ladakh was separated from Jammu and Kashmir in October 2019.
    dropped: ['DD', 'DN'],
    // Changed in November 2023.
    recoded: { CT: 'CG', OR: 'OD', TG: 'TS', UT: 'UK' },
    named: { DH: 'Dadra and Nagar Haveli and Daman and Diu', LA: 'Ladakh' },
  },
  IT: {
    types: ['Province'],
    count: 107,
    required: true,
    // Sardinia's four provinces of 2001 were merged into Sud Sardegna and neighbouring provinces in 2016.
    dropped: ['CI', 'OG', 'OT', 'VS'],
    named: { SU: 'Sud Sardegna' },
  },
  JP: { types: ['Prefecture'], count: 47, required: true, named: { '13': 'Tokyo' } },
  KR: {
    types: [
      'Special city',
      'Metropolitan city',
      'Province',
      'Special self-governing city',
      'Special self-governing province',
    ],
    count: 17,
    required: true,
    // The package mixes three transliterations; these are the official names since 2000.
    named: {
      '11': 'Seoul',
      '26': 'Busan',
      '27': 'Daegu',
      '28': 'Incheon',
      '29': 'Gwangju',
      '30': 'Daejeon',
      '31': 'Ulsan',
      '41': 'Gyeonggi',
      '42': 'Gangwon',
      '43': 'North Chungcheong',
      '44': 'South Chungcheong',
      '45': 'North Jeolla',
      '46': 'South Jeolla',
      '47': 'North Gyeongsang',
      '48': 'South Gyeongsang',
      '49': 'Jeju',
      '50': 'Sejong',
    },
  },
  MX: { types: ['State', 'Federal District'], count: 32, required: true },
  US: {
    types: ['State', 'District', 'Outlying area'],
    count: 57,
    required: true,
    named: { VI: 'U.S. Virgin Islands' },
  },
};
