/**
 * A webhook that fails because of a mistake in its URL. It is fixed when the real receiver has
 * every missed event, signed with the existing secret.
 */
import { verifySignature } from '../../server/areas/webhooks/attempt/sign.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { listFalse, task } from '../task.ts'
import type { ReceivedRequest, ReplyValue, World } from '../world.ts'

const RIGHT_PATH = '/orders'

export const failingWebhook = task({
  name: 'find why a webhook fails and fix it',
  async stage(world) {
    const { ask, luck, openReceiver } = world
    const status = luck.pick([404, 410, 405, 421])
    const receiver = await openReceiver(({ path }) => ({
      status: path === RIGHT_PATH ? 204 : status,
    }))
    const { secret } = await ask('POST /webhooks', {
      url: `${receiver.url}/order`,
      events: ['document.created'],
    })
    await ask('POST /collections', { name: 'orders', webhook_on_insert: true })
    const orders = Array.from({ length: 3 }, () => `order-${luck.letters(8)}`)
    for (const number of orders) await ask('POST /collections/orders/documents', { number })
    await attempted(world, () => 0)
    return {
      given: { url: receiver.url + RIGHT_PATH },
      async check(said) {
        const before = await attemptsOf(world)
        world.runtime.passes('3 hours')
        await attempted(world, (id) => before.get(id) ?? 0)
        const taken = receiver.received.filter(({ path }) => path === RIGHT_PATH)
        const signed = taken.filter((one) => isSigned(one, secret))
        const { data } = await ask('GET /webhooks')
        return listFalse(
          [data.some((one: ReplyValue) => one.active), 'No webhook is on.'],
          ...orders.map(
            (number) =>
              [
                signed.some(({ body }) => body.includes(number)),
                `${number} did not arrive with the signature that the receiver knows.`,
              ] as const,
          ),
          [said.includes(String(status)), `The status ${status} of the receiver is not told.`],
        )
      },
    }
  },
  ask: ({ url }) =>
    `our shop system listens at ${url} for new orders but never hears anything. whats wrong, can you ` +
    'fix it? what it missed has to get there too. it checks a signing secret that we already gave it, ' +
    'so keep that one. and what did our server answer, the http status i mean?',
  async script(agent, { url }) {
    const { webhooks } = await agent.use('get_state')
    const [{ id }] = webhooks.items
    const deliveries = await agent.run('deliveries of a webhook', 'webhooks.list_deliveries', {
      id,
    })
    const { response_status } = deliveries.data[0]
    await agent.run('change the url of a webhook', 'webhooks.update', { id, url })
    for (const delivery of deliveries.data) {
      if (delivery.status === 'pending') continue
      await agent.run('redeliver a delivery', 'deliveries.redeliver', { id: delivery.id })
    }
    return `The address was wrong, and your server answered ${response_status}. What was missed is on its way.`
  },
  wrong: {
    async 'a second webhook is made'(agent, { url }) {
      await agent.run('make a webhook', 'webhooks.create', { url, events: ['document.created'] })
      return 'It answered 404, 410, 405 or 421.'
    },
    async 'the reason is guessed'(agent, { url }) {
      const { webhooks } = await agent.use('get_state')
      const [{ id }] = webhooks.items
      await agent.run('change the url of a webhook', 'webhooks.update', { id, url })
      return 'Your server was down with status 500.'
    },
  },
})

function isSigned({ headers, body }: ReceivedRequest, secret: string): boolean {
  return verifySignature({
    header: headers['service-signature'] ?? '',
    raw_body: body,
    secrets: [secret],
    now_s: 0,
    // The age of the signature is irrelevant here.
    tolerance_s: Number.MAX_SAFE_INTEGER,
  })
}

async function deliveriesOf({ ask }: World): Promise<ReplyValue[]> {
  const { data } = await ask('GET /webhooks')
  const lists = data.map(({ id }: ReplyValue) => ask(`GET /webhooks/${id}/deliveries`))
  return (await Promise.all(lists)).flatMap((one: ReplyValue) => one.data)
}

async function attemptsOf(world: World): Promise<Map<string, number>> {
  const all = await deliveriesOf(world)
  return new Map(all.map(({ id, attempt_count }) => [id, attempt_count]))
}

/** Waits until every delivery has ended or has a further attempt. */
async function attempted(world: World, before: (id: string) => number): Promise<void> {
  const { runtime } = world
  await eventually(async () => {
    const rows = await runtime.runtime.db
      .selectFrom('webhook_deliveries')
      .select(['id', 'stage', 'attempts_made'])
      .where('project_id', '=', runtime.project_id)
      .execute()
    return rows.every(
      ({ id, stage, attempts_made }) => stage === null || attempts_made > before(id),
    )
  })
}
