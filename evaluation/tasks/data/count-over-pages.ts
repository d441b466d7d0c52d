/** A conditional sum over more documents than fit on one page: the guests of one day. */
import { unwrapData } from '../../agent/scripted.ts'
import { listFalse, task } from '../../task.ts'
import type { ReplyValue } from '../../world.ts'

const COLLECTION = 'reservations'

export const countOverPages = task({
  name: 'add up more than one page shows',
  async stage({ ask, luck }) {
    await ask('POST /collections', { name: COLLECTION })
    const days = ['2026-12-24', '2026-12-25', '2026-12-26']
    const reservations = Array.from({ length: 260 }, () => ({
      date: luck.pick(days),
      guests: luck.between(1, 9),
      status: luck.pick(['confirmed', 'confirmed', 'cancelled']),
    }))
    const operations = reservations.map((data) => ({ op: 'create', data }))
    await ask(`POST /collections/${COLLECTION}/documents/batch`, { operations })
    const date = luck.pick(days)
    const total = reservations
      .filter((one) => one.date === date && one.status === 'confirmed')
      .reduce((sum, { guests }) => sum + guests, 0)
    return {
      given: { date },
      async check(said) {
        const { document_count } = await ask(`GET /collections/${COLLECTION}`)
        return listFalse(
          [new RegExp(`\\b${total}\\b`).test(said), `The total of ${total} is not told.`],
          [document_count === 260, 'There are more or fewer reservations than before.'],
        )
      },
    }
  },
  ask: ({ date }) =>
    `how many people do we get on ${date} all together? its in "${COLLECTION}", but leave out whoever ` +
    'isnt confirmed',
  async script(agent, { date }) {
    const { data } = await agent.run('add up a field of documents', 'documents.query', {
      name: COLLECTION,
      filter: `date = "${date}" and status = "confirmed"`,
      aggregates: [{ name: 'guests', function: 'sum', field: 'guests' }],
    })
    return `${data[0].guests} guests come on ${date}.`
  },
  wrong: {
    async 'only the first page is counted'(agent, { date }) {
      const { data } = await agent.use('documents_list', {
        name: COLLECTION,
        filter: `date = "${date}" and status = "confirmed"`,
      })
      const guests = data.reduce((sum: number, one: ReplyValue) => sum + unwrapData(one).guests, 0)
      return `${guests} guests come on ${date}.`
    },
  },
})
