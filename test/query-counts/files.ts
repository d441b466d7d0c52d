/** The requests that count the statements of sites and media. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after } from 'node:test'
import { limits } from '../../server/contract/limits.ts'
import { eventually } from '../fixtures/eventually.ts'
import { put } from '../fixtures/media/media.ts'
import { newSlug } from '../fixtures/sites/site-owner.ts'
import { times, type Asked, type Place, type Scenario } from './scenario.ts'

const FILES = [1, 30] as const

/** New files with unique bytes. */
function newFiles(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    path: n === 0 ? 'index.html' : `page-${n}.html`,
    content: `<!doctype html><title>${randomBytes(8).toString('hex')}</title>`,
  }))
}

export const newSite = ({ made }: Place, files = 1) =>
  made('POST /sites', { slug: newSlug(), files: newFiles(files) })

function onSite(asked: (id: string, turn: number, rows: number) => Asked): Scenario {
  return {
    rows: FILES,
    async ready(place, rows) {
      const { id } = await newSite(place, rows)
      return (turn) => asked(id, turn, rows)
    },
  }
}

/** A scenario on a site with this many versions. */
function onVersions(asked: (id: string, turn: number) => Asked): Scenario {
  return {
    rows: [2, 20],
    async ready(place, rows) {
      const { id } = await newSite(place)
      await times(rows - 1, () => place.made(`PUT /sites/${id}`, { files: newFiles(1) }))
      return (turn) => asked(id, turn)
    },
  }
}

function announced(count: number, bytes: () => Buffer = () => randomBytes(100)) {
  return Array.from({ length: count }, (_, n) => {
    const content = bytes()
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { name: `file-${n}.txt`, content, sha256, bytes: content.length }
  })
}

async function upload({ made }: Place, named: object = {}): Promise<string> {
  const [one] = announced(1, () => Buffer.from(randomBytes(50).toString('hex')))
  const { name, content, sha256, bytes } = one!
  const file = { filename: name, content_type: 'text/plain', sha256, bytes, ...named }
  const { uploads } = await made('POST /media/uploads', { files: [file] })
  await put(uploads[0], content)
  return uploads[0].upload_id
}

/**
 * Repeats the completion until the file is read, because a terminated reader process reads only at
 * the next attempt.
 */
async function newMedia(place: Place, named: object = {}): Promise<string> {
  const upload_id = await upload(place, named)
  return eventually(async () => {
    const { id, status } = await place.made(`POST /media/uploads/${upload_id}/complete`)
    return status === 'ready' && String(id)
  })
}

function onMedia(asked: (id: string, turn: number) => Asked): Scenario {
  return {
    rows: [1, 12],
    async ready(place, rows) {
      let id = ''
      await times(rows, async () => void (id = await newMedia(place)))
      return (turn) => asked(id, turn)
    },
  }
}

const server = createServer((_request, response) => response.end(randomBytes(50).toString('hex')))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => void server.close())
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

export const files: Record<string, Scenario> = {
  'sites.list': {
    rows: [1, limits.sites_max],
    async ready(place, rows) {
      await times(rows, () => newSite(place))
      return () => ({ route: 'GET /sites' })
    },
  },
  'sites.create': {
    rows: FILES,
    ready: (_place, rows) => () => ({
      route: 'POST /sites',
      body: { slug: newSlug(), files: newFiles(rows) },
    }),
  },
  'sites.get': onSite((id) => ({ route: `GET /sites/${id}` })),
  'sites.update': onSite((id, turn) => ({
    route: `PATCH /sites/${id}`,
    body: { title: `Bakery ${turn}` },
  })),
  'sites.publish': onSite((id, _turn, rows) => ({
    route: `PUT /sites/${id}`,
    body: { files: newFiles(rows) },
  })),
  'sites.visits': onSite((id) => ({ route: `GET /sites/${id}/visits` })),
  'sites.files': onSite((id) => ({ route: `GET /sites/${id}/files` })),
  'sites.file': onSite((id) => ({ route: `GET /sites/${id}/files/index.html` })),
  'sites.versions': onVersions((id) => ({ route: `GET /sites/${id}/versions` })),
  'sites.rollback': onVersions((id, turn) => ({
    route: `POST /sites/${id}/rollback`,
    body: { version: (turn % 2) + 1 },
  })),
  'sites.delete': {
    ready: (place) => async () => ({ route: `DELETE /sites/${(await newSite(place)).id}` }),
  },
  'sites.create_uploads': {
    rows: FILES,
    ready: (_place, rows) => () => ({
      route: 'POST /sites/uploads',
      body: {
        files: announced(rows).map(({ name, sha256, bytes }) => ({ path: name, sha256, bytes })),
      },
    }),
  },
  'documents.import_media': {
    async ready(place) {
      await place.made('POST /collections', { name: 'rows' })
      const file = { filename: 'rows.csv', content_type: 'text/csv' }
      const media_id = await newMedia(place, file)
      return () => ({ route: 'POST /collections/rows/documents/import-media', body: { media_id } })
    },
  },
  'media.list': onMedia(() => ({ route: 'GET /media' })),
  'media.get': onMedia((id) => ({ route: `GET /media/${id}` })),
  'media.link': onMedia((id) => ({ route: `GET /media/${id}/link` })),
  'media.update': onMedia((id, turn) => ({
    route: `PATCH /media/${id}`,
    body: { title: `Terrace ${turn}` },
  })),
  'media.batch': {
    rows: [1, 12],
    async ready(place, rows) {
      const ids: string[] = []
      await times(rows, async () => void ids.push(await newMedia(place)))
      return (turn) => ({ route: 'POST /media/batch', body: { ids, add_tags: [`tag-${turn}`] } })
    },
  },
  'media.replace': {
    async ready(place) {
      const id = await newMedia(place)
      return async () => ({
        route: `POST /media/${id}/replace`,
        body: { media_id: await newMedia(place) },
      })
    },
  },
  'media.delete': {
    ready: (place) => async () => ({ route: `DELETE /media/${await newMedia(place)}` }),
  },
  'media.create_uploads': {
    rows: FILES,
    ready: (_place, rows) => () => ({
      route: 'POST /media/uploads',
      body: {
        files: announced(rows).map(({ name, sha256, bytes }) => ({
          filename: name,
          content_type: 'text/plain',
          sha256,
          bytes,
        })),
      },
    }),
  },
  'media.complete_upload': {
    ready: (place) => async () => ({
      route: `POST /media/uploads/${await upload(place)}/complete`,
    }),
  },
  'media.import': {
    ready: () => (turn) => ({
      route: 'POST /media/import',
      body: { url: `${origin}/file-${turn}.txt` },
    }),
  },
}
