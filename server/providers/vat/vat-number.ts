/**
 * Formats of VAT numbers: a country prefix of two letters, then the national number. The formats
 * are those that the European Commission publishes for VIES. Check digits are not verified:
 * countries add number series, and an outdated rule would refuse valid numbers.
 */

/**
 * National formats by prefix: the 27 countries of the EU, Greece as EL, and XI for Northern
 * Ireland.
 */
const shapes: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-Z]{2})$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  // Since 2020 sole traders have numbers of another format.
  NL: /^[A-Z0-9+*]{12}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/,
}

/** Prefixes of VIES. */
export const viesPrefixes: readonly string[] = Object.keys(shapes)

/** ISO 3166 codes of the EU countries; only Greece differs from its prefix. */
const euCountries = new Set(
  viesPrefixes
    .filter((prefix) => prefix !== 'XI')
    .map((prefix) => (prefix === 'EL' ? 'GR' : prefix)),
)

/** Removes separators and converts to uppercase. */
export function compactVatNumber(written: string): string {
  return written.replaceAll(/[\s.\p{Pd}]/gu, '').toUpperCase()
}

/** The compact VAT number with its prefix; null if it matches no format of VIES. */
export function readVatNumber(written: string): string | null {
  const compact = compactVatNumber(written).replace(/^GR/, 'EL')
  const shape = shapes[compact.slice(0, 2)]
  return shape?.test(compact.slice(2)) ? compact : null
}

/**
 * Whether VIES covers a number, by the country of the address; without an address by the prefix of
 * the number.
 */
export function isForVies(written: string, country: string | null): boolean {
  const prefix = compactVatNumber(written).slice(0, 2).replace('GR', 'EL')
  if (country === null) return viesPrefixes.includes(prefix)
  return euCountries.has(country) || (country === 'GB' && prefix === 'XI')
}
