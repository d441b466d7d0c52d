/**
 * A new owner's list for a new collection, and then a question about it. The owner names no fields
 * or types; numbers must be stored as numbers.
 */
import { unwrapData, type ScriptedAgent } from '../../agent/scripted.ts'
import { listFalse, task } from '../../task.ts'
import type { ReplyValue } from '../../world.ts'

const COLLECTION = 'stock'

export const importAndQuestion = task({
  name: 'import a list and answer a question about it',
  async stage({ ask, luck }) {
    const items = Array.from({ length: 12 }, (_, at) => ({
      item: `${luck.pick(['Chair', 'Lamp', 'Rug'])} ${luck.letters(5)}${at}`,
      pieces: luck.between(2, 60),
    }))
    const pieces = items.reduce((sum, one) => sum + one.pieces, 0)
    return {
      given: { list: items.map((one) => `${one.item}\t${one.pieces}`).join('\n') },
      next: { happens: async () => {}, ask: 'ok and how many pieces have we got all together?' },
      async check(said) {
        const { data: collections } = await ask('GET /collections')
        const [name = 'none'] = collections.map((one: ReplyValue) => one.name)
        const { data } = collections.length
          ? await ask(`GET /collections/${name}/documents?limit=100`)
          : { data: [] }
        const kept = data.map((one: ReplyValue) => Object.values(one.data))
        return listFalse(
          [collections.length === 1, `There are ${collections.length} collections.`],
          ...items.map(
            (one) =>
              [
                kept.some((values: ReplyValue) => isKept(values, one)),
                `${one.item} is not there with its number.`,
              ] as const,
          ),
          [new RegExp(`\\b${pieces}\\b`).test(said), `The total of ${pieces} is not told.`],
        )
      },
    }
  },
  ask: ({ list }) =>
    `heres what we have in the shop, copied from my spreadsheet. keep it for me somewhere so I can ` +
    `ask you about it later\n\n${list}`,
  async script(agent, { list }) {
    await keep(agent, list, Number)
    await agent.ready('I keep your stock.')
    const { data } = await agent.run('add up a field of documents', 'documents.query', {
      name: COLLECTION,
      aggregates: [{ name: 'pieces', function: 'sum', field: 'pieces' }],
    })
    return `You have ${data[0].pieces} pieces.`
  },
  wrong: {
    async 'numbers are kept as text'(agent, { list }) {
      await keep(agent, list, String)
      await agent.ready('I keep your stock.')
      const { data } = await agent.use('documents_list', { name: COLLECTION, limit: 100 })
      const pieces = data.map((one: ReplyValue) => Number(unwrapData(one).pieces))
      return `${pieces.reduce((sum: number, one: number) => sum + one, 0)} pieces.`
    },
    async 'the list stays in the chat'(agent) {
      await agent.ready('I will remember it.')
      return 'Quite a lot.'
    },
  },
})

function isKept(values: readonly unknown[], { item, pieces }: { item: string; pieces: number }) {
  return values.includes(item) && values.includes(pieces)
}

async function keep(agent: ScriptedAgent, list: string, asValue: (text: string) => unknown) {
  await agent.run('make a collection', 'collections.create', { name: COLLECTION })
  const operations = list.split('\n').map((line) => {
    const [item, pieces = ''] = line.split('\t')
    return { op: 'create', data: { item, pieces: asValue(pieces) } }
  })
  await agent.run('add many documents at once', 'documents.batch', { name: COLLECTION, operations })
}
