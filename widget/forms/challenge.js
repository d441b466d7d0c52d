/** Solves the proof of work of a collection (ALTCHA, version 1). */
const BATCH = 500

export const solve = async ({ challenge, salt, maxnumber, ...rest }) => {
  const encoder = new TextEncoder()
  const wanted = challenge.match(/../g).map((pair) => parseInt(pair, 16))
  const isIt = async (number) => {
    const digest = await crypto.subtle.digest('SHA-256', encoder.encode(salt + number))
    return new Uint8Array(digest).every((byte, index) => byte === wanted[index])
  }
  for (let from = 0; from <= maxnumber; from += BATCH) {
    const found = await Promise.all(Array.from({ length: BATCH }, (_, index) => isIt(from + index)))
    const number = from + found.indexOf(true)
    if (number >= from) return btoa(JSON.stringify({ ...rest, challenge, salt, number }))
  }
}
