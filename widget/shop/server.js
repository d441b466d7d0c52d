/** The requests of the shop script. */
import { solve } from '../forms/challenge.js'

export const newServer = (root, token) => {
  const request = (path, body) =>
    fetch(`${root}${path}`, {
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  return {
    /** Returns the products that can be sold as a map by id. Throws if the request fails. */
    async products(ids) {
      const reply = await request(`products?ids=${ids}`)
      if (!reply.ok) throw reply
      return new Map((await reply.json()).data.map((one) => [one.id, one]))
    },
    /** Sends an order and returns the response. Solves a new challenge for each attempt. */
    async order(body) {
      const challenge = await request('orders/challenge')
      return request('orders', { ...body, hp_challenge: await solve(await challenge.json()) })
    },
  }
}
