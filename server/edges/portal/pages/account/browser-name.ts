/** A short name for the browser of a session, from its User-Agent. */

const browsers = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'] as const
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const

export function browserOf(device: string): string {
  const browser =
    browsers.find((word) => device.includes(word)) ?? (device.slice(0, 40) || 'Unknown')
  const system = systems.find((word) => device.includes(word))
  const named = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser
  return system === undefined ? named : `${named} on ${system}`
}
