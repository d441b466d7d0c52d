/** Solves the proof of work (ALTCHA, version 1) in slices, so that the page stays responsive. */
const SLICE = 400

const pause = () => new Promise((resolve) => setTimeout(resolve))

/** Returns the solution as the server takes it; undefined if there is none. */
export const solve = async ({ challenge, salt, maxnumber, algorithm, signature }) => {
  const encoder = new TextEncoder()
  const wanted = challenge.match(/../g).map((pair) => parseInt(pair, 16))
  const fits = async (number) => {
    const digest = await crypto.subtle.digest(algorithm, encoder.encode(salt + number))
    const bytes = new Uint8Array(digest)
    return wanted.every((byte, at) => byte === bytes[at])
  }
  for (let from = 0; from <= maxnumber; from += SLICE) {
    const found = await Promise.all(Array.from({ length: SLICE }, (_, at) => fits(from + at)))
    const number = from + found.indexOf(true)
    if (number >= from)
      return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }))
    await pause()
  }
}
