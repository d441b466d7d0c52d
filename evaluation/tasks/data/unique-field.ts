/** Makes a field unique although two customers share a value, without losing data. */
import { unwrapData, type ScriptedAgent } from '../../agent/scripted.ts'
import { listFalse, task } from '../../task.ts'
import type { ReplyValue } from '../../world.ts'

const COLLECTION = 'customers'

export const uniqueField = task({
  name: 'add a unique field without losing documents',
  async stage({ runtime, ask, luck }) {
    await ask('POST /collections', { name: COLLECTION })
    const people = luck.people(24).map((name) => ({
      name,
      email: `${luck.letters(7)}@example.com`,
      points: luck.between(1, 900),
    }))
    const [first, second] = people
    if (!first || !second) throw new Error('There are no people.')
    const doubles = [first, second].map(({ email }) => ({
      name: `${luck.letters(1).toUpperCase()}. ${luck.letters(6)}`,
      email,
      points: luck.between(1, 900),
    }))
    const operations = [...people, ...doubles].map((data) => ({ op: 'create', data }))
    await ask(`POST /collections/${COLLECTION}/documents/batch`, { operations })
    return {
      given: {},
      async check() {
        const { unique } = await ask(`GET /collections/${COLLECTION}`)
        const { data } = await ask(`GET /collections/${COLLECTION}/documents?limit=100`)
        const now = new Map<string, ReplyValue>(
          data.map((one: ReplyValue) => [one.data.name, one.data]),
        )
        const path = `POST /collections/${COLLECTION}/documents`
        const again = await runtime.call(path, { body: { name: 'Twice', email: first.email } })
        return listFalse(
          [unique.length === 1 && unique[0] === 'email', `Unique is ${JSON.stringify(unique)}.`],
          [again.status === 422, 'The same e-mail address can be entered again.'],
          ...[...people, ...doubles].map(
            ({ name, points }) =>
              [now.get(name)?.points === points, `${name} is lost or changed.`] as const,
          ),
          ...people.map(
            ({ name, email }) =>
              [now.get(name)?.email === email, `${name} has another e-mail address.`] as const,
          ),
          ...doubles.map(
            ({ name, email }) =>
              [now.get(name)?.other_email === email, `${name} lost the address.`] as const,
          ),
        )
      },
    }
  },
  ask: () =>
    `i keep getting people twice in our "${COLLECTION}". make sure the same email cant be in there two ` +
    'times any more. but dont throw anybody out: whoever was there first keeps it, and for the other ' +
    'one move it to other_email. leave the rest alone',
  async script(agent) {
    for (const { id, email } of await laterDoubles(agent)) {
      const body = { email: null, other_email: email }
      await agent.run('change fields of a document', 'documents.update', {
        name: COLLECTION,
        id,
        body,
      })
    }
    await makeUnique(agent)
    return 'E-mail addresses are unique now; two customers keep theirs as other_email.'
  },
  wrong: {
    async 'the doubles are thrown away'(agent) {
      const doubles = await laterDoubles(agent)
      const operations = doubles.map(({ id }) => ({ op: 'delete', id }))
      await agent.attemptRun('batch of documents', 'documents.batch', {
        name: COLLECTION,
        operations,
      })
      await agent.attemptRun('make a field of a collection unique', 'collections.update', {
        name: COLLECTION,
        unique: ['email'],
      })
      return 'E-mail addresses are unique now.'
    },
    async 'the address of the other is gone'(agent) {
      for (const { id } of await laterDoubles(agent)) {
        const given = { name: COLLECTION, id, body: { email: null } }
        await agent.run('change fields of a document', 'documents.update', given)
      }
      await makeUnique(agent)
      return 'E-mail addresses are unique now.'
    },
  },
})

interface Double {
  id: string
  email: string
}

async function laterDoubles(agent: ScriptedAgent): Promise<Double[]> {
  const given = { name: COLLECTION, limit: 100, sort: 'created_at' }
  const { data } = await agent.use('documents_list', given)
  const seen = new Set<string>()
  return data.flatMap((document: ReplyValue) => {
    const { email } = unwrapData(document)
    if (seen.has(email)) return [{ id: document.id, email }]
    seen.add(email)
    return []
  })
}

async function makeUnique(agent: ScriptedAgent): Promise<void> {
  await agent.run('make a field of a collection unique', 'collections.update', {
    name: COLLECTION,
    unique: ['email'],
  })
}
