/** A receptionist on a phone number: a call rings the owner first and is then answered. */
import assert from 'node:assert/strict'
import { simulateCall, readAssistantWords } from '../../calls.ts'
import { listFalse, task } from '../../task.ts'
import type { ScriptedAgent } from '../../agent/scripted.ts'
import type { ReplyValue } from '../../world.ts'

interface Given {
  business: string
  thing: string
  price: string
  mobile: string
}

export const receptionistOnANumber = task({
  name: 'put the receptionist on a number',
  async stage({ runtime, ask, luck }) {
    const given: Given = {
      business: luck.business(),
      thing: luck.pick(['repair', 'haircut', 'consultation', 'delivery']),
      price: luck.price(),
      mobile: `+3161234${luck.between(1_100, 9_900)}`,
    }
    return {
      given: { ...given },
      async check() {
        const { data: numbers } = await ask('GET /numbers')
        if (numbers.length !== 1) return [`There are ${numbers.length} numbers instead of one.`]
        const { plan } = await ask(`GET /numbers/${numbers[0].id}/call-plan`)
        const says = [`What does a ${given.thing} cost?`, 'Thank you, goodbye.']
        const call = await simulateCall(runtime, { number_id: numbers[0].id, says })
        const [first] = call.path
        return listFalse(
          [call.status === 'ai_handled', `A caller meets ${call.status}.`],
          [plan.nodes[first]?.type === 'forward', 'The phone of the owner does not ring first.'],
          [
            JSON.stringify(plan).includes(given.mobile),
            'The plan does not have the mobile number.',
          ],
          [
            readAssistantWords(call).includes(given.price),
            'The receptionist does not know the price.',
          ],
          [
            readAssistantWords(call).includes(given.business),
            'The receptionist does not name the business.',
          ],
        )
      },
    }
  },
  ask: ({ business, thing, price, mobile }) =>
    `we need a phone number for ${business}. when someone rings let my mobile ${mobile} go first, say ` +
    `twenty seconds, and if i dont pick up your receptionist should. people ask what a ${thing} ` +
    `costs: ${price} euro`,
  async script(agent, given) {
    await configure(agent, given)
    const number = await order(agent)
    await putPlan(agent, number.id, given.mobile)
    return `Call ${number.e164}: your mobile rings, then the receptionist answers.`
  },
  wrong: {
    async 'the mobile never rings'(agent, given) {
      await configure(agent, given)
      const number = await order(agent)
      const plan = { entry: 'ai', nodes: { ai: { id: 'ai', type: 'ai_agent' } } }
      await agent.run('call plan of a number', 'numbers.put_call_plan', {
        id: number.id,
        body: plan,
      })
      return 'Done.'
    },
    async 'the price is another'(agent, given) {
      await configure(agent, { ...given, price: '1.00' })
      const number = await order(agent)
      await putPlan(agent, number.id, given.mobile)
      return 'Done.'
    },
  },
})

async function configure(agent: ScriptedAgent, { business, thing, price }: Given) {
  await agent.use('assistant_put', {
    name: business,
    greeting: `Good day, this is ${business}.`,
    facts: [{ question: `What does a ${thing} cost?`, answer: `A ${thing} costs ${price} euro.` }],
  })
}

async function order(agent: ScriptedAgent): Promise<ReplyValue> {
  return await agent.run('order a phone number', 'numbers.order', {
    idempotency_key: 'the-number-of-the-shop',
  })
}

/** Writes the call plan using only documented fields. */
async function putPlan(agent: ScriptedAgent, id: string, mobile: string) {
  const documented = await agent.argumentsOf('numbers.put_call_plan#forward')
  const nodes = {
    mobile: {
      id: 'mobile',
      type: 'forward',
      strategy: 'sequential',
      targets: [{ kind: 'external', e164: mobile }],
      ringSeconds: 20,
      onNoAnswer: 'ai',
    },
    ai: { id: 'ai', type: 'ai_agent' },
  }
  const fields = Object.keys(nodes.mobile).filter((field) => !documented.includes(`"${field}"`))
  assert.deepEqual(fields, [], 'The tools do not document these fields.')
  await agent.run('call plan of a number', 'numbers.put_call_plan', {
    id,
    body: { entry: 'mobile', nodes },
  })
}
