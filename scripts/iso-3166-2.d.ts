/** The part of iso-3166-2 that the reference data uses; the package has no types. */
declare module 'iso-3166-2' {
  interface Subdivision {
    readonly type: string;
    readonly name: string;
  }
  interface CountryInfo {
    readonly name: string;
    /** Keyed by the full code, country prefix included: `US-NY`. */
    readonly sub: Readonly<Record<string, Subdivision>>;
  }
  /** Returns the country with this alpha-2 code, or null. */
  export function country(alpha2: string): CountryInfo | null;
}
