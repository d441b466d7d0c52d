/**
 * The baseline for documents: Fastify routes with one statement each on a table of JSON documents.
 * No keys, schema, counts or change log.
 */
import { fastify } from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ ...JSON.parse(process.argv[2]!), max: 10 })
const columns = 'id, data, version, created_at, updated_at'
const find = { name: 'find', text: `select ${columns} from documents where id = $1` }
const list = {
  name: 'list',
  text: `select ${columns} from documents where (data -> 'n') <= to_jsonb($1::integer)
    order by data -> 'n' desc limit 20`,
}
const create = {
  name: 'create',
  text: `insert into written (data) values ($1::jsonb) returning ${columns}`,
}
const batch = {
  name: 'batch',
  text: `insert into written (data) select * from unnest($1::jsonb[]) returning id, version`,
}

const app = fastify({ bodyLimit: 10_000_000 })
app.get('/documents/:id', async (request) => {
  const { rows } = await pool.query({ ...find, values: [Object(request.params).id] })
  return rows[0]
})
app.get('/documents', async (request) => {
  const { rows } = await pool.query({ ...list, values: [Object(request.query).below] })
  return { data: rows }
})
app.post('/documents', async (request, reply) => {
  const { rows } = await pool.query({ ...create, values: [request.body] })
  return reply.code(201).send(rows[0])
})
app.post('/documents/batch', async (request) => {
  const { rows } = await pool.query({ ...batch, values: [Object(request.body).documents] })
  return { data: rows }
})
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
console.log(typeof address === 'object' && address ? address.port : 0)
