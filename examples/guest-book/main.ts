/** The app of the guest book: reads entries for everyone, and adds one for who is signed in. */
interface Env {
  DB: { query(sql: string, parameters?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> }
  AUTH: { user(headers: Headers): Promise<{ id: string; email: string } | null> }
}

const TEXT_MAX = 500

// oxlint-disable-next-line import/no-default-export -- the handlers of an app
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname !== '/api/entries') return answer(404, 'There is nothing at this address.')
    if (request.method === 'GET') {
      const { rows } = await env.DB.query(
        'select name, text from entries order by id desc limit 100',
      )
      return Response.json({ entries: rows })
    }
    if (request.method !== 'POST') return answer(405, 'Use GET or POST.')
    const user = await env.AUTH.user(request.headers)
    if (user === null) return answer(401, 'Please sign in first.')
    const { text } = (await request.json()) as { text?: unknown }
    if (typeof text !== 'string' || text.trim() === '' || text.length > TEXT_MAX)
      return answer(422, `Write 1 to ${TEXT_MAX} characters.`)
    const name = user.email.split('@')[0]
    await env.DB.query('insert into entries (user_id, name, text) values ($1, $2, $3)', [
      user.id,
      name,
      text.trim(),
    ])
    return Response.json({ saved: true }, { status: 201 })
  },
}

function answer(status: number, user_message: string): Response {
  return Response.json({ user_message }, { status })
}
