/** Solves the proof of work (ALTCHA, version 1) that a collection asks for. */
const BATCH = 500

export const solve = async ({ challenge, salt, maxnumber, ...rest }) => {
  const encoder = new TextEncoder()
  const hash = async (number) => {
    const digest = await crypto.subtle.digest('SHA-256', encoder.encode(salt + number))
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0'))
    return hex.join('') === challenge
  }
  for (let from = 0; from <= maxnumber; from += BATCH) {
    const found = await Promise.all(Array.from({ length: BATCH }, (_, index) => hash(from + index)))
    const number = from + found.indexOf(true)
    if (number >= from) return btoa(JSON.stringify({ ...rest, challenge, salt, number }))
  }
}
