/**
 * A new owner wants an answered phone, in their own words and language, without technical terms. A
 * caller must hear the price, and the owner must get the number.
 */
import { simulateCall, readAssistantWords } from '../../calls.ts'
import type { OwnerLanguage } from '../../luck.ts'
import type { ScriptedAgent } from '../../agent/scripted.ts'
import { listFalse, task } from '../../task.ts'

interface Given {
  [name: string]: string
  business: string
  thing: string
  price: string
}

const things: Record<OwnerLanguage, readonly string[]> = {
  en: ['haircut', 'consultation', 'massage'],
  nl: ['knipbeurt', 'massage', 'intake'],
  de: ['Massage', 'Beratung', 'Maniküre'],
}

const words: Record<OwnerLanguage, (given: Given) => string> = {
  en: ({ business, thing, price }) =>
    `I can never get to the phone at ${business}. sort me out with something that picks up for me? ` +
    `people mostly want to know what a ${thing} costs, thats ${price} euro. give it a go yourself ` +
    'first and then tell me which number to put on my door',
  nl: ({ business, thing, price }) =>
    `ik kan bij ${business} nooit bij de telefoon. kun je zorgen dat er iets opneemt? mensen willen ` +
    `vooral weten wat een ${thing} kost, dat is ${price} euro. probeer het zelf eerst even en zeg dan ` +
    'welk nummer ik op de deur moet zetten',
  de: ({ business, thing, price }) =>
    `ich komme bei ${business} nie ans telefon. kannst du dafür sorgen, dass jemand rangeht? die leute ` +
    `wollen meistens wissen, was eine ${thing} kostet, das sind ${price} euro. probier es erst selbst ` +
    'aus und sag mir dann, welche nummer ich an die tür schreiben soll',
}

const questions: Record<OwnerLanguage, (thing: string) => string> = {
  en: (thing) => `What does a ${thing} cost?`,
  nl: (thing) => `Wat kost een ${thing}?`,
  de: (thing) => `Was kostet eine ${thing}?`,
}

const goodbyes = {
  en: 'Thank you, goodbye.',
  nl: 'Dank u, tot ziens.',
  de: 'Danke, auf Wiederhören.',
}

type Known = Given & { language: OwnerLanguage }

export const firstReceptionist = task<Known>({
  name: 'have the phone answered for a newcomer',
  async stage({ runtime, ask, luck }) {
    const { language } = luck
    const given = {
      business: luck.business(),
      thing: luck.pick(things[language]),
      price: luck.price(),
    }
    return {
      given: { ...given, language },
      async check(said) {
        const { data: numbers } = await ask('GET /numbers')
        if (numbers.length !== 1) return [`There are ${numbers.length} numbers instead of one.`]
        const [{ id, e164 }] = numbers
        const { data: tried } = await ask('GET /calls')
        const says = [questions[language](given.thing), goodbyes[language]]
        const call = await simulateCall(runtime, { number_id: id, says })
        return listFalse(
          [tried.length > 0, 'Nobody tried it.'],
          [call.status === 'ai_handled', `A caller meets ${call.status}.`],
          [call.language === language, `The assistant speaks ${call.language}.`],
          [readAssistantWords(call).includes(given.price), 'A caller does not hear the price.'],
          [
            readAssistantWords(call).includes(given.business),
            'A caller does not hear the business.',
          ],
          [said.replaceAll(' ', '').includes(e164), 'The owner is not told the number.'],
        )
      },
    }
  },
  ask: (given) => words[given.language](given),
  async script(agent, given) {
    return `Put ${await answered(agent, given)} on your door.`
  },
  wrong: {
    async 'the price is another'(agent, given) {
      return `Put ${await answered(agent, { ...given, price: '1.00' })} on your door.`
    },
    async 'the number is not told'(agent, given) {
      await answered(agent, given)
      return 'It works.'
    },
    async 'nothing answers'(agent) {
      const { e164 } = await agent.run('order a phone number', 'numbers.order', {
        idempotency_key: 'my-number',
      })
      return `Put ${e164} on your door.`
    },
  },
})

/** Sets up the receptionist, makes a test call and reports the number. */
async function answered(agent: ScriptedAgent, given: Known): Promise<string> {
  const { business, thing, price, language } = given
  const question = questions[language](thing)
  await agent.use('assistant_put', {
    name: business,
    languages: [language],
    facts: [{ question, answer: `${price} euro.` }],
  })
  const { id, e164 } = await agent.run('order a phone number', 'numbers.order', {
    idempotency_key: 'my-number',
  })
  const body = { entry: 'ai', nodes: { ai: { id: 'ai', type: 'ai_agent' } } }
  await agent.run('who answers calls to a number', 'numbers.put_call_plan', { id, body })
  const turns = [{ say: question }]
  await agent.run('try a call', 'calls.simulate', { number_id: id, turns })
  return e164
}
