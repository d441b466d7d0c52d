/**
 * A form on a site, and its entries. The agent must find the form endpoint and the token. Visitors
 * submit the form as served, then the owner asks for the entries.
 */
import { formOn, sendForm } from '../../form.ts'
import { unwrapData, type ScriptedAgent } from '../../agent/scripted.ts'
import { listFalse, task } from '../../task.ts'
import type { ReplyValue } from '../../world.ts'

interface Booking {
  name: string
  email: string
  guests: number
}

const COLLECTION = 'bookings'

export const formAndAnswers = task({
  name: 'make a form and read its answers',
  async stage({ ask, visit, luck, openPage }) {
    const slug = `table-${luck.letters(6)}`
    const files = [{ path: 'index.html', content: `<h1>${luck.business()}</h1>` }]
    const { url } = await ask('POST /sites', { slug, files })
    const page = await openPage(new URL(url).origin)
    const people = luck.people(6)
    const guests = luck.shuffled([2, 3, 4, 5, 6, luck.between(9, 19)])
    const bookings = people.map((name, at) => {
      const email = `${luck.letters(8)}@example.com`
      return { name, email, guests: guests[at] ?? 0 }
    })
    const largest = bookings.toSorted((one, other) => other.guests - one.guests)[0]?.name ?? ''
    const total = guests.reduce((sum, one) => sum + one, 0)
    let sent = 0
    return {
      given: { slug },
      next: {
        async happens() {
          const { text } = await visit(new URL(url).host)
          const form = formOn(text)
          for (const booking of bookings)
            if (await sendForm(page, { form, origin: new URL(url).origin, filled: { ...booking } }))
              sent += 1
        },
        ask: 'People have booked. Who comes with the most guests, and how many guests are that in all?',
      },
      async check(said) {
        const { data: collections } = await ask('GET /collections')
        const one = collections.find(({ name }: ReplyValue) => name === COLLECTION)
        const { data } = one ? await ask(`GET /collections/${COLLECTION}/documents`) : { data: [] }
        const numbers = data.map((document: ReplyValue) => document.data.guests)
        return listFalse(
          [sent === bookings.length, `${sent} of ${bookings.length} visitors could send the form.`],
          [data.length === bookings.length, `${data.length} bookings are kept.`],
          [numbers.every(Number.isInteger), 'Guests are not kept as numbers.'],
          [one?.public_read === false, 'Everybody may read the bookings.'],
          [said.includes(largest), 'The largest party is not named.'],
          [new RegExp(`\\b${total}\\b`).test(said), `The total of ${total} is not told.`],
        )
      },
    }
  },
  ask: ({ slug }) =>
    `people should be able to book a table on the front page of ${slug}. i need their name, email and ` +
    `guests, guests being a whole number. call them just that, and keep it all under "${COLLECTION}", ` +
    'where only we can look. tell me when i can try it',
  async script(agent, given) {
    await openForm(agent, given, { public_write: true })
    await agent.ready('The form is on your first page.')
    const { data } = await agent.use('documents_list', { name: COLLECTION, limit: 100 })
    const bookings: Booking[] = data.map(unwrapData)
    const [largest] = bookings.toSorted((one, other) => other.guests - one.guests)
    const total = bookings.reduce((sum, { guests }) => sum + guests, 0)
    return `${largest?.name} comes with the most; ${total} guests in all.`
  },
  wrong: {
    async 'forms may not write'(agent, given) {
      await openForm(agent, given, { public_write: false })
      await agent.ready('The form is on your first page.')
      return 'Nobody has booked.'
    },
    async 'the bookings can be read by everybody'(agent, given) {
      const open = { public_write: true, public_read: true, readable_fields: ['name', 'email'] }
      await openForm(agent, given, open)
      await agent.ready('The form is on your first page.')
      return 'Look at the page.'
    },
    async 'the answers are made up'(agent, given) {
      await openForm(agent, given, { public_write: true })
      await agent.ready('The form is on your first page.')
      return 'Anna Bakker comes with 7 guests, 21 in all.'
    },
  },
})

interface Given {
  slug: string
}

async function openForm(agent: ScriptedAgent, { slug }: Given, settings: object) {
  const { sites } = await agent.use('get_state')
  const site = sites.items.find((one: ReplyValue) => one.slug === slug)
  const text = { type: 'string', minLength: 1 }
  await agent.run('make a collection', 'collections.create', {
    name: COLLECTION,
    ...settings,
    schema: {
      type: 'object',
      properties: { name: text, email: text, guests: { type: 'integer', minimum: 1 } },
      required: ['name', 'email', 'guests'],
    },
  })
  const { token, form_address } = await agent.run(
    'create a public token for a form',
    'chat_tokens.create',
    { allowed_origins: [new URL(site.url).origin] },
  )
  const address = form_address.replace('{name}', COLLECTION)
  const content =
    `<!doctype html><h1>Book a table</h1><form method="post" action="${address}">` +
    `<input type="hidden" name="token" value="${token}"><input name="name"><input name="email">` +
    `<input name="guests" type="number"><button>Book</button></form>`
  const files = [{ path: 'index.html', content }]
  await agent.use('sites_publish', { id: site.id, files, keep_others: true })
}
