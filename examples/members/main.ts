/** A members' area: everything needs a signed-in visitor, who changes only their own profile. */
import type { App, Env } from './app.d.ts'

const TEXT_MAX = 500

// oxlint-disable-next-line import/no-default-export -- the handlers of an app
export default {
  async fetch(request, env) {
    const user = await env.AUTH.user(request.headers)
    if (user === null) return refuse(401, 'Please sign in first.')
    const route = `${request.method} ${new URL(request.url).pathname}`
    if (route === 'GET /api/me')
      return Response.json({ email: user.email, ...(await find(env, user.id)) })
    if (route === 'PUT /api/me') return save(env, user.id, await request.json())
    if (route === 'GET /api/members') return list(env)
    return refuse(404, 'There is nothing at this address.')
  },
} satisfies App

interface Profile {
  name: string
  about: string
}

async function find(env: Env, user_id: string): Promise<Profile> {
  const { rows } = await env.DB.query<Profile>(
    'select name, about from profiles where user_id = $1',
    [user_id],
  )
  return rows[0] ?? { name: '', about: '' }
}

async function save(env: Env, user_id: string, given: unknown): Promise<Response> {
  const { name = '', about = '' } = Object(given) as Partial<Profile>
  if (name.trim() === '' || name.length + about.length > TEXT_MAX)
    return refuse(422, `Enter your name, and at most ${TEXT_MAX} characters.`)
  await env.DB.query(
    `insert into profiles values ($1, $2, $3)
      on conflict (user_id) do update set name = excluded.name, about = excluded.about`,
    [user_id, name.trim(), about.trim()],
  )
  return Response.json({ saved: true })
}

async function list(env: Env): Promise<Response> {
  const { rows } = await env.DB.query<Profile>('select name, about from profiles order by name')
  return Response.json({ members: rows })
}

function refuse(status: number, user_message: string): Response {
  return Response.json({ user_message }, { status })
}
