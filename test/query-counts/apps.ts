/** The requests that count the statements of apps. */
import { newId } from '../../server/kernel/values/ids.ts'
import { newSite } from './files.ts'
import { times, type Asked, type Place, type Scenario } from './scenario.ts'

const code = 'export default { fetch: () => new Response(""), scheduled() {} }'
const modules = [{ path: 'main.js', text: code }]

async function newApp(place: Place): Promise<string> {
  const site = await newSite(place)
  return (await place.made('POST /apps', { site_id: site.id, name: 'App', modules })).id
}

type Ready = (place: Place, id: string, rows: number) => Promise<unknown>

function onApp(
  asked: (id: string, turn: number) => Asked | Promise<Asked>,
  { rows, ready }: { rows?: readonly [number, number]; ready?: Ready } = {},
): Scenario {
  return {
    ...(rows && { rows }),
    async ready(place, count) {
      const id = await newApp(place)
      await ready?.(place, id, count)
      return (turn) => asked(id, turn)
    },
  }
}

const deploys: Ready = (place, id, rows) =>
  times(rows - 1, () => place.made(`PUT /apps/${id}`, { modules }))

const newUsers: Ready = ({ runtime: { runtime }, project_id }, app_id, rows) =>
  times(rows, async (n) => {
    const now = runtime.clock.now()
    const row = { project_id, app_id, id: newId(runtime.clock), email: `u${n}@example.com` }
    const times_of_row = { created_at: now, last_seen_at: now }
    await runtime.db.transact((tx) =>
      tx
        .insertInto('app_users')
        .values({ ...row, ...times_of_row })
        .execute(),
    )
  })

const newLines: Ready = ({ runtime: { runtime }, project_id }, app_id, rows) =>
  times(rows, async () => {
    const id = newId(runtime.clock)
    const line = { level: 'log' as const, text: 'x', place: null, version: 1 }
    const at = runtime.clock.now()
    await runtime.db.transact((tx) =>
      tx
        .insertInto('app_logs')
        .values({ project_id, app_id, id, ...line, at })
        .execute(),
    )
  })

const newHours: Ready = ({ runtime: { runtime }, project_id }, app_id, rows) =>
  times(rows, async (n) => {
    const hour = new Date(runtime.clock.now_ms() - n * 3_600_000)
    await runtime.db.transact((tx) =>
      tx
        .insertInto('app_hours')
        .values({ project_id, app_id, hour, requests: 1, errors: 0 })
        .execute(),
    )
  })

const newSecrets: Ready = (place, id, rows) => {
  const names = Array.from({ length: rows }, (_, n) => [`KEY_${n}`, 'x'])
  return place.made(`PUT /apps/${id}/secrets`, { secrets: Object.fromEntries(names) })
}

export const apps: Readonly<Record<string, Scenario>> = {
  'apps.list': {
    rows: [1, 3],
    async ready(place, rows) {
      await times(rows, () => newApp(place))
      return () => ({ route: 'GET /apps' })
    },
  },
  'apps.create': {
    ready: (place) => async () => {
      const { data } = await place.made('GET /sites')
      if (data.length >= 3) await place.made(`DELETE /sites/${data[0].id}`)
      const site = await newSite(place)
      return { route: 'POST /apps', body: { site_id: site.id, name: 'App', modules } }
    },
  },
  'apps.get': onApp((id) => ({ route: `GET /apps/${id}` })),
  'apps.deploy': onApp((id) => ({ route: `PUT /apps/${id}`, body: { modules } })),
  'apps.delete': {
    ready: (place) => async () => {
      const { data } = await place.made('GET /sites')
      if (data.length >= 3) await place.made(`DELETE /sites/${data[0].id}`)
      return { route: `DELETE /apps/${await newApp(place)}` }
    },
  },
  'apps.versions': onApp((id) => ({ route: `GET /apps/${id}/versions` }), {
    rows: [1, 6],
    ready: deploys,
  }),
  'apps.get_version': onApp((id) => ({ route: `GET /apps/${id}/versions/1` })),
  'apps.rollback': onApp(
    (id, turn) => ({ route: `POST /apps/${id}/rollback`, body: { version: 1 + (turn % 2) } }),
    { ready: (place, id) => deploys(place, id, 2) },
  ),
  'apps.migrate': onApp((id, turn) => ({
    route: `POST /apps/${id}/migrations`,
    body: { migrations: [{ name: String(turn), sql: 'select 1' }] },
  })),
  'apps.query': onApp((id) => ({ route: `POST /apps/${id}/query`, body: { sql: 'select 1' } })),
  'apps.logs': onApp((id) => ({ route: `GET /apps/${id}/logs` }), {
    rows: [1, 12],
    ready: newLines,
  }),
  'apps.hours': onApp((id) => ({ route: `GET /apps/${id}/hours` }), {
    rows: [1, 12],
    ready: newHours,
  }),
  'apps.secrets': onApp((id) => ({ route: `GET /apps/${id}/secrets` }), {
    rows: [1, 12],
    ready: newSecrets,
  }),
  'apps.put_secrets': onApp(
    (id, turn) => ({ route: `PUT /apps/${id}/secrets`, body: { secrets: { KEY_0: `${turn}` } } }),
    { rows: [1, 12], ready: newSecrets },
  ),
  'apps.users': onApp((id) => ({ route: `GET /apps/${id}/users` }), {
    rows: [1, 12],
    ready: newUsers,
  }),
  'apps.update_user': {
    async ready(place) {
      const id = await newApp(place)
      await newUsers(place, id, 1)
      const { data } = await place.made(`GET /apps/${id}/users`)
      return () => ({
        route: `PATCH /apps/${id}/users/${data[0].id}`,
        body: { blocked: true },
      })
    },
  },
  'apps.schedules': onApp((id) => ({ route: `GET /apps/${id}/schedules` }), {
    rows: [1, 8],
    ready: (place, id, rows) =>
      place.made(`PUT /apps/${id}`, {
        schedules: Array.from({ length: rows }, (_, hour) => ({ cron: `0 ${hour} * * *` })),
      }),
  }),
}
