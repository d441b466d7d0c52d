/**
 * A low balance: the agent reports the amount, and that only the owner can top up, in the portal.
 */
import { topUp } from '../money.ts'
import { listFalse, task } from '../task.ts'

export const lowBalance = task({
  name: 'say what to do about a low balance',
  async stage({ runtime, ask, luck }) {
    const euro = luck.between(1, 3) + luck.between(11, 49) * 0.02 - 0.01
    await topUp(runtime, Number(euro.toFixed(2)))
    const before = JSON.stringify(await ask('GET /balance'))
    return {
      given: {},
      async check(said) {
        return listFalse(
          [said.includes(euro.toFixed(2)), `The balance of ${euro.toFixed(2)} is not told.`],
          [/\bportal\b/i.test(said), 'The owner is not told where to top up.'],
          [JSON.stringify(await ask('GET /balance')) === before, 'The balance changed.'],
        )
      },
    }
  },
  ask: () =>
    'got a mail that i am running out of money with you. how much have i got left exactly, and where ' +
    'do i put more in?',
  async script(agent) {
    const { balance_eur } = await agent.run('prepaid balance', 'balance.get')
    const found = await agent.use('search_operations', { query: 'prepaid balance' })
    const where = /portal/.test(JSON.stringify(found)) ? 'in the portal' : 'somewhere'
    return `There are ${balance_eur} euro left. Only you can top it up, ${where}.`
  },
  wrong: {
    async 'the amount is guessed'() {
      return 'There are 5.00 euro left. Top it up in the portal.'
    },
    async 'it says that it did it'(agent) {
      const { balance } = await agent.use('get_state')
      return `There were ${balance.balance_eur} euro left. I topped it up for you.`
    },
  },
})
