/**
 * Adds pictures from the internet to a website that must also load on a phone: stored in the media
 * library, served by the site, with smaller copies and alternative texts.
 */
import sharp from 'sharp'
import { newPicture } from '../../../test/fixtures/media/media.ts'
import type { OwnerLanguage } from '../../luck.ts'
import type { ScriptedAgent } from '../../agent/scripted.ts'
import { listFalse, task } from '../../task.ts'
import type { World } from '../../world.ts'

interface Given {
  [name: string]: string
  business: string
  first: string
  second: string
}

const words: Record<OwnerLanguage, (given: Given) => string> = {
  en: ({ business, first, second }) =>
    `these are two photos of what we make at ${business}: ${first} and ${second}. my old host closes ` +
    'next week, so put them on a new website of mine. it has to be quick on phones, and a blind ' +
    'customer of ours uses a screen reader',
  nl: ({ business, first, second }) =>
    `dit zijn twee foto's van wat we maken bij ${business}: ${first} en ${second}. mijn oude host stopt ` +
    'volgende week, dus zet ze op een nieuwe website van mij. die moet snel zijn op telefoons, en een ' +
    'blinde klant gebruikt een schermlezer',
  de: ({ business, first, second }) =>
    `das sind zwei fotos von dem, was wir bei ${business} machen: ${first} und ${second}. mein alter ` +
    'anbieter schließt nächste woche, stell sie also auf eine neue webseite von mir. die muss auf ' +
    'handys schnell sein, und ein blinder kunde nutzt einen screenreader',
}

export const picturesOnASite = task<Given & { language: OwnerLanguage }>({
  name: 'put pictures on a site that is quick on phones',
  async stage(world) {
    const { luck, ask, visit, openReceiver } = world
    const sizes = [1100, 1300].map((width) => ({ width, height: 700 + luck.between(1, 90) }))
    const photos = await Promise.all(sizes.map((size) => newPicture(size).jpeg().toBuffer()))
    const old = await openReceiver(({ path }) => {
      const text = photos[path === '/a.jpg' ? 0 : 1]
      return text ? { status: 200, text, type: 'image/jpeg' } : { status: 404 }
    })
    return {
      given: {
        business: luck.business(),
        first: `${old.url}/a.jpg`,
        second: `${old.url}/b.jpg`,
        language: luck.language,
      },
      person: () => 'yes',
      async check() {
        const { data: sites } = await ask('GET /sites')
        if (sites.length !== 1) return [`There are ${sites.length} sites instead of one.`]
        const { host } = new URL(sites[0].url)
        const { text } = await visit(host)
        const tags = [...text.matchAll(/<img\b[^>]*>/gi)].map(([tag]) => tag)
        const shown = await Promise.all(tags.map((tag) => shownBy(world, host, tag)))
        return listFalse(
          ...sizes.map(
            ({ width, height }) =>
              [
                shown.some((one) => one.width === width && one.height === height),
                `The picture of ${width} by ${height} is not on the page.`,
              ] as const,
          ),
          [shown.every(({ smaller }) => smaller), 'A phone loads the large pictures.'],
          [tags.every((tag) => /\balt="[^"]+"/.test(tag)), 'A picture is not described.'],
        )
      },
    }
  },
  ask: (given) => words[given.language](given),
  async script(agent, given) {
    await show(agent, given, (path) => `<img src="${path}" ${copiesOf(path)} alt="What we make">`)
    return 'Your pictures are on your site.'
  },
  wrong: {
    async 'they stay on the old host'(agent, { business, first, second }) {
      const content = [first, second].map((src) => `<img src="${src}" alt="What we make">`).join('')
      const files = [{ path: 'index.html', content }]
      await agent.use('sites_create', { slug: slugOf(business), files })
      return 'Your pictures are on your site.'
    },
    async 'phones load the large ones'(agent, given) {
      await show(agent, given, (path) => `<img src="${path}" alt="What we make">`)
      return 'Your pictures are on your site.'
    },
    async 'they are not described'(agent, given) {
      await show(agent, given, (path) => `<img src="${path}" ${copiesOf(path)}>`)
      return 'Your pictures are on your site.'
    },
  },
})

const slugOf = (business: string) => business.toLowerCase().replaceAll(/[^a-z]+/g, '-')
const copiesOf = (path: string) => `srcset="${path}?width=640 640w, ${path}?width=1280 1280w"`

/**
 * The picture that a browser gets on a page, and whether there is a copy of at most half the width.
 */
async function shownBy({ visit }: World, host: string, tag: string) {
  const load = async (address: string) => {
    const url = new URL(address, `http://${host}/`)
    if (url.host !== host) return { width: 0, height: 0 }
    const { status, body } = await visit(host, `GET ${url.pathname}${url.search}`)
    const { width = 0, height = 0 } = status === 200 ? await sharp(body).metadata() : {}
    return { width, height }
  }
  const [, src = '/nothing'] = /\ssrc="([^"]+)"/.exec(tag) ?? []
  const [, srcset = ''] = /\ssrcset="([^"]+)"/.exec(tag) ?? []
  const whole = await load(src)
  const addresses = srcset.split(',').map((one) => one.trim().split(' ')[0] ?? '')
  const copies = await Promise.all(addresses.filter((one) => one !== '').map(load))
  const smaller = copies.some(({ width }) => width > 0 && width * 1.5 < whole.width)
  return { ...whole, smaller }
}

async function show(agent: ScriptedAgent, given: Given, imageAt: (path: string) => string) {
  const media = []
  for (const [at, url] of [given.first, given.second].entries()) {
    const { id } = await agent.run('import a picture from an address', 'media.import', { url })
    media.push({ media_id: id, path: `photo-${at}.jpg` })
  }
  const content = `<!doctype html><h1>${given.business}</h1>${media.map(({ path }) => imageAt(path)).join('')}`
  const files = [{ path: 'index.html', content }]
  await agent.use('sites_create', { slug: slugOf(given.business), files, media })
}
