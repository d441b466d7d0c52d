/**
 * The baseline for GET /project: a Fastify route with the same query on the same database, without
 * authentication rules, rate limit and headers.
 */
import { createHash } from 'node:crypto'
import { fastify } from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ ...JSON.parse(process.argv[2]!), max: 10 })
const query = {
  name: 'key',
  text: `select projects.*, api_keys.id as key_id, api_keys.mode as key_mode, api_keys.scopes as key_scopes,
    api_keys.access as key_access, api_keys.revoked_at as key_revoked_at
    from api_keys inner join projects on projects.id = api_keys.project_id where api_keys.hash = $1`,
}

const app = fastify()
app.get('/api/v1/project', async (request) => {
  const key = request.headers.authorization!.slice('Bearer '.length)
  const { rows } = await pool.query({
    ...query,
    values: [createHash('sha256').update(key).digest()],
  })
  return rows[0]
})
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
console.log(typeof address === 'object' && address ? address.port : 0)
