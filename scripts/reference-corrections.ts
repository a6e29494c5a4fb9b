/**
 * What the data packages of scripts/build-reference-data.ts have not caught up with, or spell in a way that nobody
 * would look for in a shop's address form. Each entry names its reason; everything else is taken as it comes.
 */

/** Short names as people look for them in a list, where the package has a long, inverted or unaccented form. */
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

/** Codes that a package lists although ISO 3166-1 has not assigned them: XK (Kosovo) is user-assigned. */
export const NOT_IN_ISO_3166_1: ReadonlySet<string> = new Set(['XK']);

/** How the subdivisions of one country become its states. */
export interface StateSource {
  /** The kinds of subdivision that stand in a postal address, as iso-3166-2 names them. */
  readonly types: readonly string[];
  /** How many there are today, so that a changed package is noticed. */
  readonly count: number;
  /** Whether an address there is incomplete without one. */
  readonly required: boolean;
  /** Codes the package lists which no longer exist, or which are countries of their own in ISO 3166-1. */
  readonly dropped?: readonly string[];
  /** Codes ISO has changed since: old to new. */
  readonly recoded?: Readonly<Record<string, string>>;
  /** Names by new code: changed since, missing from the package, or spelled as its own note marks. */
  readonly named?: Readonly<Record<string, string>>;
}

/**
 * The countries whose addresses name a subdivision. Required follows the address formats of the postal services (the
 * Universal Postal Union's address templates); Germany and the United Kingdom have states to choose from,
 * but no letter needs one. The United Kingdom is offered as its four nations: councils are reorganized every few
 * years, and none of them belongs on an envelope.
 */
export const STATE_SOURCES: Readonly<Record<string, StateSource>> = {
  AE: {
    types: ['Emirate'],
    count: 7,
    required: true,
    // The package transliterates; these are the names the emirates use in English.
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
    // Digits gave way to letters in November 2017.
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
    // A star in the package marks the regional language where the Spanish name is the one in use on letters.
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
    // Merged into one union territory in January 2020, while Ladakh had left Jammu and Kashmir in October 2019.
    dropped: ['DD', 'DN'],
    // November 2023.
    recoded: { CT: 'CG', OR: 'OD', TG: 'TS', UT: 'UK' },
    named: { DH: 'Dadra and Nagar Haveli and Daman and Diu', LA: 'Ladakh' },
  },
  IT: {
    types: ['Province'],
    count: 107,
    required: true,
    // Sardinia's four provinces of 2001 were joined into Sud Sardegna and their neighbours in 2016.
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
    // The package mixes three transliterations; these are the official ones since 2000.
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
