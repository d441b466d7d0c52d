/** A first website: visitors must see the owner's information. */
import { listFalse, task } from '../../task.ts'

const page = (business: string, ...lines: readonly string[]) =>
  `<!doctype html><html lang="en"><title>${business}</title><h1>${business}</h1>` +
  lines.map((line) => `<p>${line}</p>`).join('')

export const publishASite = task({
  name: 'publish a site',
  async stage({ ask, visit, luck }) {
    const given = {
      business: luck.business(),
      hours: `${luck.between(7, 10)}:30 to ${luck.between(16, 21)}:00`,
      phone: `+3120${luck.between(1_000_000, 9_999_999)}`,
      slug: `shop-${luck.letters(6)}`,
    }
    return {
      given,
      async check() {
        const { data } = await ask('GET /sites')
        const url = data[0]?.url ?? 'http://nowhere.invalid'
        const { status, text } = await visit(new URL(url).host)
        return listFalse(
          [data.length === 1, `There are ${data.length} sites instead of one.`],
          [new URL(url).host.startsWith(`${given.slug}.`), `The site is at ${url}.`],
          [data[0]?.visibility === 'public', 'The site is not public.'],
          [status === 200, `A visitor gets ${status}.`],
          ...[given.business, given.hours, given.phone].map(
            (words) => [text.includes(words), `A visitor does not read "${words}".`] as const,
          ),
        )
      },
    }
  },
  ask: ({ business, hours, phone, slug }) =>
    `can you put us on the internet? we are ${business}, open ${hours}, phone ${phone}. one page will ` +
    `do, and i want "${slug}" at the front of the address. please write the hours and the number ` +
    'just like i did',
  async script(agent, { business, hours, phone, slug }) {
    await agent.use('get_state')
    const files = [
      { path: 'index.html', content: page(business, `Open ${hours}`, `Call ${phone}`) },
    ]
    const { url } = await agent.use('sites_create', { slug, title: business, files })
    return `Your site is at ${url}.`
  },
  wrong: {
    async 'nobody finds it'(agent, { business, hours, phone, slug }) {
      const files = [{ path: 'index.html', content: page(business, hours, phone) }]
      await agent.use('sites_create', { slug, files, visibility: 'unlisted' })
      return 'Published.'
    },
    async 'another phone number stands on it'(agent, { business, hours, slug }) {
      const files = [{ path: 'index.html', content: page(business, hours, '+31200000000') }]
      await agent.use('sites_create', { slug, files })
      return 'Published.'
    },
  },
})
