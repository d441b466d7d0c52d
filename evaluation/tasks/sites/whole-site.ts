/**
 * A website that takes orders, requested in an owner's words: no names of fields, collections or
 * URLs. A visitor fills in all fields of the form, and the owner's key must find the entry.
 */
import { formOn, sendForm } from '../../form.ts'
import type { OwnerLanguage } from '../../luck.ts'
import type { ScriptedAgent } from '../../agent/scripted.ts'
import { listFalse, task } from '../../task.ts'
import type { ReplyValue } from '../../world.ts'

interface Given {
  [name: string]: string
  business: string
  thing: string
  price: string
}

const things: Record<OwnerLanguage, readonly string[]> = {
  en: ['cheesecakes', 'flower baskets', 'candles'],
  nl: ['appeltaarten', 'bloemstukken', 'kaarsen'],
  de: ['Obstkuchen', 'Blumenkränze', 'Kerzen'],
}

const words: Record<OwnerLanguage, (given: Given) => string> = {
  en: ({ business, thing, price }) =>
    `hi, I'm ${business} and have nothing online yet. I sell ${thing}, ${price} euro each. can you ` +
    'make me a website where people can order, so their name, email and how many they want, and ' +
    'keep the orders for me to look at? nobody else should see them',
  nl: ({ business, thing, price }) =>
    `hoi, ik ben ${business} en heb nog niks online. ik verkoop ${thing}, ${price} euro per stuk. kun ` +
    'je een website maken waar mensen kunnen bestellen (naam, email en hoeveel), en de bestellingen ' +
    'voor me bewaren? verder mag niemand die zien',
  de: ({ business, thing, price }) =>
    `hallo, ich bin ${business} und noch gar nicht im internet. ich verkaufe ${thing}, ${price} euro ` +
    'das stück. machst du mir eine webseite, auf der leute bestellen können (name, email, wie viele), ' +
    'und hebst die bestellungen für mich auf? sonst soll die niemand sehen',
}

export const wholeSite = task<Given & { language: OwnerLanguage }>({
  name: 'make a whole site that takes orders',
  async stage({ ask, visit, luck, openPage }) {
    const { language } = luck
    const given = {
      business: luck.business(),
      thing: luck.pick(things[language]),
      price: luck.price(),
    }
    const values = {
      email: `${luck.letters(8)}@example.com`,
      number: String(luck.between(2, 9)),
      tel: `+3161234${luck.between(1_100, 9_900)}`,
    }
    const filled: Record<string, string> = {}
    return {
      given: { ...given, language },
      async check() {
        const { data: sites } = await ask('GET /sites')
        if (sites.length !== 1) return [`There are ${sites.length} sites instead of one.`]
        const { host, origin } = new URL(sites[0].url)
        const { status, text } = await visit(host)
        const form = formOn(text)
        for (const [name, type] of form.fields) filled[name] = valueFor(name, type)
        const page = await openPage(origin)
        const sent = await sendForm(page, { form, origin, filled })
        const { data: collections } = await ask('GET /collections')
        const kept = await Promise.all(
          collections.map(({ name }: ReplyValue) => ask(`GET /collections/${name}/documents`)),
        )
        const orders = kept.flatMap((one: ReplyValue) =>
          one.data.map((each: ReplyValue) => each.data),
        )
        return listFalse(
          [status === 200 && sites[0].visibility === 'public', 'A visitor does not see the site.'],
          [text.includes(given.business), 'The page does not name the business.'],
          [text.includes(given.price), 'The page does not name the price.'],
          [form.fields.size >= 3, `The form asks for ${form.fields.size} things.`],
          [sent, 'A visitor cannot order.'],
          [orders.length === 1, `${orders.length} orders are kept.`],
          ...Object.values(filled).map(
            (value) =>
              [
                orders.some((order: ReplyValue) => holds(order, value)),
                `"${value}" is not kept.`,
              ] as const,
          ),
          [
            collections.every((one: ReplyValue) => !one.public_read),
            'Everybody may read the orders.',
          ],
        )
      },
    }

    function valueFor(name: string, type: string): string {
      if (type === 'number') return values.number
      if (type === 'tel') return values.tel
      return type === 'email' || /mail/i.test(name) ? values.email : `Visitor ${luck.letters(6)}`
    }
  },
  ask: (given) => words[given.language](given),
  async script(agent, given) {
    await build(agent, given, {})
    return 'Your site is there, and orders are kept.'
  },
  wrong: {
    async 'the form is sent by mail'(agent, given) {
      await build(agent, given, { address: 'mailto:me@example.com' })
      return 'Your site is there, and orders are kept.'
    },
    async 'the page has no form'(agent, { business, price }) {
      const files = [{ path: 'index.html', content: `<h1>${business}</h1><p>${price}` }]
      await agent.use('sites_create', { slug: slugOf(business), files })
      return 'Your site is there.'
    },
    async 'everybody may read the orders'(agent, given) {
      await build(agent, given, { settings: { public_read: true, readable_fields: ['name'] } })
      return 'Your site is there, and orders are kept.'
    },
    async 'forms may not write'(agent, given) {
      await build(agent, given, { settings: { public_write: false } })
      return 'Your site is there, and orders are kept.'
    },
  },
})

const slugOf = (business: string) => business.toLowerCase().replaceAll(/[^a-z]+/g, '-')

function holds(order: ReplyValue, value: string): boolean {
  return Object.values(order).some((one) => String(one) === value)
}

interface Otherwise {
  address?: string
  settings?: object
}

async function build(
  agent: ScriptedAgent,
  { business, thing, price }: Given,
  { address, settings = {} }: Otherwise,
) {
  await agent.use('get_state')
  const text = { type: 'string', minLength: 1 }
  await agent.run('make a collection', 'collections.create', {
    name: 'orders',
    public_write: true,
    ...settings,
    schema: {
      type: 'object',
      properties: { name: text, email: text, count: { type: 'integer', minimum: 1 } },
      required: ['name', 'email', 'count'],
    },
  })
  const head = `<!doctype html><title>${business}</title><h1>${business}</h1>`
  const soon = [{ path: 'index.html', content: head }]
  const site = await agent.use('sites_create', {
    slug: slugOf(business),
    title: business,
    files: soon,
  })
  const { token, form_address } = await agent.run('form on a page', 'chat_tokens.create', {
    allowed_origins: [new URL(site.url).origin],
  })
  const action = address ?? form_address.replace('{name}', 'orders')
  const content =
    `${head}<p>${thing}: ${price} euro</p><form method="post" action="${action}">` +
    `<input type="hidden" name="token" value="${token}"><input name="name"><input name="email">` +
    '<input name="count" type="number"><button>OK</button></form>'
  await agent.use('sites_publish', { id: site.id, files: [{ path: 'index.html', content }] })
}
