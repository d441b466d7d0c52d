/** Formats sizes in bytes for people. */
const KB = 1024
const MB = 1_048_576

/** `20 MB`, `1.5 MB`, `64 kB`, `512 bytes`; rounded to one decimal place. */
export function formatSize(bytes: number): string {
  if (bytes >= MB) return `${rounded(bytes / MB)} MB`
  if (bytes >= KB) return `${rounded(bytes / KB)} kB`
  return bytes === 1 ? '1 byte' : `${bytes} bytes`
}

function rounded(amount: number): string {
  return amount.toFixed(1).replace(/\.0$/, '')
}
