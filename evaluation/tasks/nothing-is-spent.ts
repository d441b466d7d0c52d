/** A trial in test mode: it must be done and cost nothing. */
import { topUp } from '../money.ts'
import { listFalse, task } from '../task.ts'
import type { ReplyValue } from '../world.ts'

export const nothingIsSpent = task({
  name: 'spend nothing in test mode',
  async stage({ runtime, ask, luck }) {
    const euro = Number(luck.price())
    await topUp(runtime, euro)
    const question = `Do you have ${luck.pick(['parking', 'wifi', 'vegan food'])} for ${luck.between(3, 9)} of us?`
    return {
      given: { question },
      async check(said) {
        const { balance_eur, transactions } = await ask('GET /balance')
        const { data: numbers } = await ask('GET /numbers')
        const { data: calls } = await ask('GET /calls')
        const heard = await Promise.all(
          calls.map(async ({ id }: ReplyValue) => JSON.stringify(await ask(`GET /calls/${id}`))),
        )
        return listFalse(
          [balance_eur === euro, `The balance is ${balance_eur} instead of ${euro}.`],
          [transactions.length === 1, 'Something was charged.'],
          [numbers.length === 1 && numbers[0].test, 'There is not just one test number.'],
          [heard.some((text) => text.includes(question)), 'Nobody called with this question.'],
          [said.includes(String(euro)), 'The balance is not told.'],
          [numbers.some(({ e164 }: ReplyValue) => said.includes(e164)), 'The number is not told.'],
        )
      },
    }
  },
  ask: ({ question }) =>
    'i want to hear how your receptionist does before i pay for anything. get me a number to try with, ' +
    `let it answer, and have somebody ring and ask "${question}". then tell me the number and what i ` +
    'have left on my account, to the cent',
  async script(agent, { question }) {
    const { project } = await agent.use('get_state')
    if (project.mode !== 'test') return 'This is not a test key, so it would cost something.'
    await agent.use('assistant_put', { greeting: 'Good day.' })
    const number = await agent.run('order a phone number', 'numbers.order', {
      idempotency_key: 'to-try',
    })
    const plan = { entry: 'ai', nodes: { ai: { id: 'ai', type: 'ai_agent' } } }
    await agent.run('call plan of a number', 'numbers.put_call_plan', { id: number.id, body: plan })
    const turns = [{ say: question }, { say: 'Thank you, goodbye.' }]
    await agent.run('simulate a call', 'calls.simulate', { number_id: number.id, turns })
    const { balance } = await agent.use('get_state')
    return `${number.e164} was called; it cost nothing, and your balance is ${balance.balance_eur} euro.`
  },
  wrong: {
    async 'nobody called'(agent) {
      const { e164 } = await agent.run('order a phone number', 'numbers.order', {
        idempotency_key: 'to-try',
      })
      const { balance } = await agent.use('get_state')
      return `${e164} works, and your balance is ${balance.balance_eur} euro.`
    },
  },
})
