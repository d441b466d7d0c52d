/**
 * The service isolate of an app: it runs beside the code of the app in the same workerd, hands requests
 * to it and gives it the objects of `env`. Only this isolate can talk to the server, through HOST.
 */
import { WorkerEntrypoint } from 'cloudflare:workers'

async function ask(env, name, input) {
  const reply = await env.HOST.fetch(`http://host/${name}`, {
    method: 'POST',
    body: JSON.stringify(input),
  })
  const answer = await reply.json()
  if (answer.error === undefined) return answer.result
  const error = new Error(answer.error.message)
  error.name = answer.error.name
  throw error
}

// oxlint-disable-next-line import/no-default-export -- workerd takes handlers from it
export default {
  /** A request of a visitor. The header marks an exception, whose text visitors must not see. */
  async fetch(request, env) {
    try {
      return await env.APP.fetch(request)
    } catch {
      return new Response(null, { status: 500, headers: { 'homeport-app-failed': '1' } })
    }
  },
}

/** The socket of the server: liveness and schedules. */
export class Control extends WorkerEntrypoint {
  async fetch(request) {
    if (new URL(request.url).pathname === '/ping') return new Response('ok')
    const { cron, scheduled_at } = await request.json()
    try {
      await this.env.APP.scheduled({ cron, scheduledTime: Date.parse(scheduled_at) })
      return Response.json({ ok: true })
    } catch (error) {
      return Response.json({ ok: false, error: String(error).slice(0, TEXT_MAX) })
    }
  }
}

/** An object of `env` whose methods the server runs with the arguments as they are. */
function binding(name, methods) {
  class Binding extends WorkerEntrypoint {}
  for (const method of methods)
    Binding.prototype[method] = function call(...args) {
      return ask(this.env, name, { method, args })
    }
  return Binding
}

export const Data = binding('data', ['insert', 'get', 'list', 'update', 'delete'])
export const Email = binding('email', ['send'])
export const Chat = binding('chat', ['ask'])

/** env.DB */
export class Database extends WorkerEntrypoint {
  async query(sql, parameters = []) {
    const [result] = await ask(this.env, 'db', { statements: [{ sql, parameters }] })
    return result
  }

  batch(statements) {
    return ask(this.env, 'db', { statements })
  }
}

/** env.MEDIA */
export class Media extends binding('media', [
  'list',
  'get',
  'delete',
  'link',
  'uploadLink',
  'complete',
]) {
  async put({ content, ...file }) {
    const base64 = new Uint8Array(await new Response(content).arrayBuffer()).toBase64()
    return ask(this.env, 'media', { method: 'put', args: [{ ...file, base64 }] })
  }
}

/** env.AUTH */
export class Auth extends WorkerEntrypoint {
  user(headers) {
    // A request that is handed to another isolate loses its body.
    if (!(headers instanceof Headers)) throw new TypeError('Call env.AUTH.user(request.headers).')
    return ask(this.env, 'auth', { cookie: headers.get('cookie') ?? '' })
  }
}

const TEXT_MAX = 4000
const LINES_MAX = 200

function textOf(value) {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

/** Receives what the app logs and throws, after each of its events. */
export class Logs extends WorkerEntrypoint {
  async tail(events) {
    const lines = []
    for (const { logs, exceptions, event } of events) {
      const request = event?.request
      const place = request ? `${request.method} ${new URL(request.url).pathname}` : null
      for (const { level, message, timestamp } of logs) {
        const text = Array.isArray(message) ? message.map(textOf).join(' ') : textOf(message)
        lines.push({ level, text: text.slice(0, TEXT_MAX), at_ms: timestamp, place })
      }
      for (const { name, message, stack, timestamp } of exceptions) {
        const text = `${name}: ${message}\n${stack ?? ''}`.trim()
        lines.push({ level: 'exception', text: text.slice(0, TEXT_MAX), at_ms: timestamp, place })
      }
    }
    if (lines.length > 0) await ask(this.env, 'logs', { lines: lines.slice(0, LINES_MAX) })
  }
}
