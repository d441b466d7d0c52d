/** Finds last week's angry callers in call summaries, among calls of other weeks and moods. */
import { orderAnsweredNumber, simulateCall } from '../../calls.ts'
import type { ScriptedAgent } from '../../agent/scripted.ts'
import { listFalse, task } from '../../task.ts'
import type { ReplyValue } from '../../world.ts'

const bad = 'This is terrible, I am very angry about my order and I want to complain!'
const good = 'That was wonderful, thank you, I am very happy with it.'

export const angryCallers = task({
  name: 'find who was angry last week',
  async stage(world) {
    const { runtime, luck } = world
    const number_id = await orderAnsweredNumber(world, { greeting: 'Good day.', languages: ['en'] })
    const endings = luck.shuffled(Array.from({ length: 40 }, (_, at) => at + 910)).slice(0, 6)
    const from = (at: number) => `+447700900${endings[at]}`
    const call = (at: number, words: string) =>
      simulateCall(runtime, { number_id, says: [words, 'Goodbye.'], from: from(at) })
    await call(0, bad)
    runtime.passes('12 days')
    await call(1, good)
    runtime.passes('2 days')
    await call(2, 'What are your opening hours?')
    await call(3, bad)
    runtime.passes('3 days')
    await call(4, good)
    const others = [0, 1, 2, 4].map(from)
    return {
      given: { today: runtime.clock.now().toISOString().slice(0, 10) },
      async check(said) {
        return listFalse(
          [said.includes(from(3)), 'The angry caller is not named.'],
          ...others.map(
            (number) => [!said.includes(number), `${number} was not angry then.`] as const,
          ),
        )
      },
    }
  },
  ask: ({ today }) =>
    `who was angry on the phone with us the last seven days? its ${today} today. just the phone number, ` +
    'i want to ring them back, and nobody elses',
  async script(agent, { today }) {
    const since = Date.parse(today) - 7 * 86_400_000
    const found = (await angryOnes(agent)).filter(
      ({ created_at }) => Date.parse(created_at) > since,
    )
    return found.map((call) => `${call.from} was angry.`).join('\n')
  },
  wrong: {
    async 'the week is forgotten'(agent) {
      return (await angryOnes(agent)).map(({ from }) => `${from} was angry.`).join('\n')
    },
    async 'all callers are named'(agent) {
      const { data } = await agent.use('calls_list')
      return data.map(({ from }: ReplyValue) => from).join('\n')
    },
  },
})

async function angryOnes(agent: ScriptedAgent): Promise<ReplyValue[]> {
  const { data } = await agent.use('calls_list', { limit: 100 })
  const found: ReplyValue[] = []
  for (const { id, has_summary } of data) {
    if (!has_summary) continue
    const call = await agent.use('calls_get', { id })
    if (call.summary.sentiment === 'negative') found.push(call)
  }
  return found
}
