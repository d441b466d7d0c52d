/** The logarithm of the sum of numbers given as logarithms, such as odds; -Infinity for none. */
export function addLogarithms(logarithms: Float32Array | readonly number[]): number {
  let most = -Infinity
  for (const one of logarithms) most = Math.max(most, one)
  if (most === -Infinity) return most
  let sum = 0
  for (const one of logarithms) sum += Math.exp(one - most)
  return most + Math.log(sum)
}
