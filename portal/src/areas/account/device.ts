/** A browser and its system, read from a User-Agent. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

export interface DescribedDevice {
  name: string
  isPhone: boolean
}

export function describeDevice(agent: string): DescribedDevice {
  const find = (known: readonly (readonly [mark: string, name: string])[]) =>
    known.find(([mark]) => agent.includes(mark))?.[1]
  const browser = find(browsers) ?? agent.slice(0, 40)
  const system = find(systems)
  return {
    name: system === undefined ? browser : `${browser}, ${system}`,
    isPhone: /Mobile|iPhone|Android/.test(agent),
  }
}
