/** Restores the version of a broken site that the owner means. */
import type { ScriptedAgent } from '../../agent/scripted.ts'
import { listFalse, task } from '../../task.ts'
import type { ReplyValue } from '../../world.ts'

export const rollBackASite = task({
  name: 'roll a site back',
  async stage({ ask, luck, visit }) {
    const slug = `menu-${luck.letters(6)}`
    const prices = luck.shuffled(['12.40', '13.70', '14.90', '16.30'])
    const notes = prices.map(() => luck.letters(9))
    const filesOf = (at: number) => [
      { path: 'index.html', content: `<h1>Menu</h1><p>Soup ${prices[at]} euro</p>` },
      { path: 'drinks.html', content: `<h1>Drinks</h1><p>${notes[at]}</p>` },
    ]
    const { id, url } = await ask('POST /sites', { slug, files: filesOf(0) })
    for (const at of [1, 2]) await ask(`PUT /sites/${id}`, { files: filesOf(at) })
    await ask(`PUT /sites/${id}`, { files: [{ path: 'index.html', content: 'undefined' }] })
    const wanted = luck.pick([1, 2])
    return {
      given: { slug, price: prices[wanted] ?? '' },
      async check() {
        const { host } = new URL(url)
        const menu = await visit(host)
        const drinks = await visit(host, 'GET /drinks.html')
        const { data } = await ask(`GET /sites/${id}/versions`)
        return listFalse(
          [menu.text.includes(`Soup ${prices[wanted]} euro`), `Visitors read "${menu.text}".`],
          [drinks.text.includes(notes[wanted] ?? ''), 'The drinks are not those of that day.'],
          [data.length >= 4, 'A version is gone.'],
        )
      },
    }
  },
  ask: ({ slug, price }) =>
    `${slug} shows only rubbish since somebody touched it last. can we go back to how it was when the ` +
    `soup was ${price} euro? all of it, not just the front page`,
  async script(agent, { slug, price }) {
    const { id, versions } = await versionsOf(agent, slug)
    for (const { version } of versions) {
      const given = { id, path: 'index.html', version }
      const { content } = await agent.run('a file of a version of a site', 'sites.file', given)
      if (!content.includes(`${price} euro`)) continue
      await agent.run('roll back a site', 'sites.rollback', { id, version })
      return `The version of ${price} euro is back.`
    }
    return 'I did not find it.'
  },
  wrong: {
    async 'the first version is put back'(agent, { slug }) {
      const { id } = await versionsOf(agent, slug)
      await agent.run('roll back a site', 'sites.rollback', { id, version: 1 })
      return 'It is back.'
    },
    async 'the page is written anew'(agent, { slug, price }) {
      const { id } = await versionsOf(agent, slug)
      const files = [{ path: 'index.html', content: `<h1>Menu</h1><p>Soup ${price} euro</p>` }]
      await agent.use('sites_publish', { id, files })
      return 'It is back.'
    },
  },
})

async function versionsOf(agent: ScriptedAgent, slug: string) {
  const { data: sites } = await agent.run('list the sites', 'sites.list')
  const { id } = sites.find((one: ReplyValue) => one.slug === slug)
  const { data: versions } = await agent.run('versions of a site', 'sites.versions', { id })
  return { id, versions }
}
