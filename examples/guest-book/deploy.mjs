/** Publishes the guest book with its app: node deploy.mjs SLUG */
import { readFileSync } from 'node:fs'

const { HOMEPORT_URL: origin = 'http://localhost:4400', HOMEPORT_KEY: key } = process.env
const slug = process.argv[2]
if (!key || !slug) throw new Error('Set HOMEPORT_KEY, and name the site: node deploy.mjs SLUG')

const read = (path) => readFileSync(new URL(path, import.meta.url)).toString()

async function call(route, body) {
  const [method, path] = route.split(' ')
  const reply = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${route}: ${reply.status} ${text}`)
  return JSON.parse(text)
}

const files = ['index.html', 'style.css', 'guest-book.js'].map((path) => ({
  path,
  content: read(path),
}))
const modules = [{ path: 'main.ts', text: read('main.ts') }]
const migrations = [
  {
    name: '0001-entries',
    sql: `create table entries (
      id bigserial primary key, user_id uuid not null, name text not null, text text not null)`,
  },
]

const sites = (await call('GET /sites')).data
const known = sites.find((one) => one.slug === slug)
const site = known
  ? await call(`PUT /sites/${known.id}`, { files })
  : await call('POST /sites', { slug, files })
const found = (await call('GET /apps')).data.find(({ site_id }) => site_id === site.id)
const app = found
  ? await call(`PUT /apps/${found.id}`, { modules })
  : await call('POST /apps', { site_id: site.id, name: 'Guest book', modules, auth: true })
await call(`POST /apps/${app.id}/migrations`, { migrations })
console.log(site.url)
