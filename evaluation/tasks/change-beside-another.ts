/**
 * Changes a document while a colleague changes it too, between read and write. Both changes must be
 * kept.
 */
import { unwrapData, type ScriptedAgent } from '../agent/scripted.ts'
import { listFalse, task } from '../task.ts'
import type { ReplyValue } from '../world.ts'

const COLLECTION = 'bookings'

export const changeBesideAnother = task({
  name: "change a document without overwriting another's change",
  async stage({ ask, luck }) {
    const [name = '', ...others] = luck.people(5)
    await ask('POST /collections', { name: COLLECTION })
    const add = (who: string) =>
      ask(`POST /collections/${COLLECTION}/documents`, {
        name: who,
        guests: luck.between(2, 5),
        table: luck.between(1, 20),
        note: '',
      })
    const { id } = await add(name)
    for (const other of others) await add(other)
    const guests = luck.between(6, 12)
    const note = `Allergic to ${luck.letters(6)}`
    const path = `/collections/${COLLECTION}/documents/${id}`
    const before: ReplyValue = await ask(`GET ${path}`)
    let noted = false
    return {
      given: { name, guests: String(guests) },
      // A colleague adds a note after the agent has read the document.
      async meanwhile() {
        if (noted) return
        noted = true
        await ask(`PATCH ${path}`, { note })
      },
      async check() {
        const { data } = await ask(`GET ${path}`)
        const { document_count } = await ask(`GET /collections/${COLLECTION}`)
        return listFalse(
          [data.guests === guests, `There are ${data.guests} guests.`],
          [data.note === note, 'The note of the colleague is gone.'],
          [data.table === before.data.table && data.name === name, 'Something else changed.'],
          [document_count === 5, 'There are more or fewer bookings than before.'],
        )
      },
    }
  },
  ask: ({ name, guests }) =>
    `${name} called, they come with ${guests} now (its in "${COLLECTION}"). the others are working in ` +
    'there too, so dont undo what they do',
  async script(agent, { name, guests }) {
    const { id, version } = await bookingOf(agent, name)
    await changeGuests(agent, { id, version, guests: Number(guests) })
    return `The booking of ${name} is for ${guests} guests.`
  },
  wrong: {
    async 'the whole document is written over'(agent, { name, guests }) {
      const booking = await bookingOf(agent, name)
      const body = { ...unwrapData(booking), guests: Number(guests) }
      const given = { name: COLLECTION, id: booking.id, body }
      await agent.run('replace a document', 'documents.replace', given)
      return 'Done.'
    },
    async 'it gives up at the conflict'(agent, { name, guests }) {
      const { id, version } = await bookingOf(agent, name)
      const given = { name: COLLECTION, id, if_match: version, body: { guests: Number(guests) } }
      await agent.attemptRun('change fields of a document', 'documents.update', given)
      return 'Done.'
    },
  },
})

async function bookingOf(agent: ScriptedAgent, name: string): Promise<ReplyValue> {
  const filter = `name = ${JSON.stringify(name)}`
  return (await agent.use('documents_list', { name: COLLECTION, filter })).data[0]
}

interface Change {
  id: string
  version: number
  guests: number
}

/** Changes the document, and reads it again after a version conflict. */
async function changeGuests(agent: ScriptedAgent, { id, version, guests }: Change): Promise<void> {
  const given = { name: COLLECTION, id, if_match: version, body: { guests } }
  const { is_error, value } = await agent.attemptRun(
    'change fields of a document',
    'documents.update',
    given,
  )
  if (is_error) await changeGuests(agent, { id, version: value.current_version, guests })
}
