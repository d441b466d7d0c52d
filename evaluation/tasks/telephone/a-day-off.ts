/**
 * An exceptional closing day: callers are informed, and the other settings of the assistant stay.
 */
import { orderAnsweredNumber } from '../../calls.ts'
import { listFalse, task } from '../../task.ts'

export const aDayOff = task({
  name: 'tell callers of a day off',
  async stage(world) {
    const { runtime, ask, luck } = world
    const now = runtime.clock.now_ms()
    const dayIn = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10)
    await orderAnsweredNumber(world, {
      name: luck.business(),
      greeting: 'Good day.',
      instructions: `We know ${luck.letters(8)}.`,
      opening_hours: [{ day: 'mon', from: '09:00', to: '17:00' }],
      closures: [{ date: dayIn(3), reason: 'Holiday' }],
      facts: [{ question: 'Where are you?', answer: `In ${luck.letters(7)}.` }],
    })
    const { closures, version: _version, updated_at: _at, ...before } = await ask('GET /assistant')
    const given = {
      date: dayIn(luck.between(10, 60)),
      reason: `${luck.pick(['Stocktaking', 'A wedding', 'Repairs'])} ${luck.letters(4)}`,
    }
    return {
      given,
      async check() {
        const { version: _version, updated_at: _at, ...after } = await ask('GET /assistant')
        const { closures: now_closed, ...rest } = after
        return listFalse(
          [JSON.stringify(rest) === JSON.stringify(before), 'Something else of it changed.'],
          [
            JSON.stringify(now_closed) === JSON.stringify([...closures, given]),
            `The days off are ${JSON.stringify(now_closed)}.`,
          ],
        )
      },
    }
  },
  ask: ({ date, reason }) =>
    `we are shut on ${date}, people who ring should hear why: "${reason}". dont touch anything else`,
  async script(agent, { date, reason }) {
    const assistant = await agent.use('assistant_get')
    const closures = [...assistant.closures, { date, reason }]
    await agent.use('assistant_put', { ...assistant, closures, if_match: assistant.version })
    return `Callers are told that you are closed on ${date}.`
  },
  wrong: {
    async 'all else gets its default'(agent, { date, reason }) {
      await agent.use('assistant_put', { closures: [{ date, reason }] })
      return 'Done.'
    },
    async 'the other day off is gone'(agent, { date, reason }) {
      const assistant = await agent.use('assistant_get')
      await agent.use('assistant_put', { ...assistant, closures: [{ date, reason }] })
      return 'Done.'
    },
  },
})
