/**
 * A first question over a read-only connection (`/mcp?read_only=true`): it is answered; the
 * requested change is refused and reported as such.
 */
import { unwrapData, type ScriptedAgent } from '../agent/scripted.ts'
import { listFalse, task } from '../task.ts'
import type { ReplyValue } from '../world.ts'

const COLLECTION = 'customers'

export const readOnlyStart = task({
  name: 'look around with a connection that only reads',
  options: { query: '?read_only=true' },
  async stage({ ask, luck }) {
    await ask('POST /collections', { name: COLLECTION })
    const [name = '', other = ''] = luck.people(2)
    const city = `Old${luck.letters(5)}`
    for (const one of [name, other]) {
      const data = { name: one, city: one === name ? city : `Far${luck.letters(5)}` }
      await ask(`POST /collections/${COLLECTION}/documents`, data)
    }
    return {
      given: { name },
      async check(said) {
        const { data } = await ask(`GET /collections/${COLLECTION}/documents`)
        return listFalse(
          [said.includes(city), 'The city is not told.'],
          [data.length === 2, `There are ${data.length} customers instead of 2.`],
          [/only read|read-only|read only/i.test(said), 'That nothing can be changed is not told.'],
        )
      },
    }
  },
  ask: ({ name }) =>
    `where does ${name} live again? and throw that customer out of the list afterwards pls, ` +
    'or tell me why you can not',
  async script(agent, { name }) {
    const { city, id } = await customerNamed(agent, name)
    const { is_error } = await agent.attempt('run_read_operation', {
      operation: 'documents.delete',
      arguments: { name: COLLECTION, id },
    })
    return `${name} lives in ${city}. ${is_error ? 'This connection can only read.' : 'Removed.'}`
  },
  wrong: {
    async 'it says that it removed the customer'(agent, { name }) {
      const { city } = await customerNamed(agent, name)
      return `${name} lives in ${city}. I removed the customer.`
    },
    async 'the city is guessed'() {
      return 'In Amsterdam, and this connection can only read.'
    },
  },
})

async function customerNamed(agent: ScriptedAgent, name: string) {
  const { data } = await agent.use('documents_list', { name: COLLECTION })
  const found = data.find((one: ReplyValue) => unwrapData(one).name === name)
  return { city: String(unwrapData(found).city), id: String(found.id) }
}
