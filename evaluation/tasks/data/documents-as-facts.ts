/** The receptionist answers from documents of the business after they are marked as facts. */
import { orderAnsweredNumber, simulateCall, readAssistantWords } from '../../calls.ts'
import { listFalse, task } from '../../task.ts'

const COLLECTION = 'answers'

export const documentsAsFacts = task({
  name: 'answer from documents marked as facts',
  async stage(world) {
    const { runtime, ask, luck } = world
    const greeting = `Good day, this is ${luck.business()}.`
    const number_id = await orderAnsweredNumber(world, { greeting, languages: ['en'] })
    await ask('POST /collections', { name: COLLECTION })
    const known = [
      { question: 'What does a bicycle repair cost?', answer: `It costs ${luck.price()} euro.` },
      { question: 'Where can I park my car?', answer: `Park in ${luck.letters(7)} street.` },
      { question: 'Do you sell gift vouchers?', answer: `Yes, of ${luck.between(15, 75)} euro.` },
    ]
    for (const one of known) await ask(`POST /collections/${COLLECTION}/documents`, one)
    return {
      given: { collection: COLLECTION },
      async check() {
        const { public_read, document_count } = await ask(`GET /collections/${COLLECTION}`)
        const says = [...known.map(({ question }) => question), 'Thank you, goodbye.']
        const said = readAssistantWords(await simulateCall(runtime, { number_id, says }))
        return listFalse(
          [public_read === false, 'Everybody may read the answers.'],
          [document_count === known.length, 'The documents are not what they were.'],
          [said.includes(greeting), 'The receptionist greets in other words.'],
          ...known.map(
            ({ question, answer }) =>
              [said.includes(answer), `"${question}" is not answered from the document.`] as const,
          ),
        )
      },
    }
  },
  ask: ({ collection }) =>
    `i wrote down what people always ask us in "${collection}". whoever answers our phone should know ` +
    'those answers from now on, also when i change one later',
  async script(agent, { collection }) {
    await agent.use('get_state')
    const given = { name: collection, assistant_facts: true }
    await agent.run('let the assistant use documents as facts', 'collections.update', given)
    return 'The receptionist knows them now.'
  },
  wrong: {
    async 'they are opened to everybody'(agent, { collection }) {
      const given = { name: collection, public_read: true, readable_fields: ['question', 'answer'] }
      await agent.run('change a collection', 'collections.update', given)
      return 'The receptionist knows them now.'
    },
    async 'the assistant is written over'(agent, { collection }) {
      const { data } = await agent.use('documents_list', { name: collection })
      await agent.use('assistant_put', { facts: [data[0].data] })
      return 'The receptionist knows them now.'
    },
  },
})
