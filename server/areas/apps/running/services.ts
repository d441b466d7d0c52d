/**
 * env.DATA, env.EMAIL, env.MEDIA and env.CHAT: each method runs an operation of the API as the app, with the
 * scopes of its service. The version of the app names its collections and other services.
 */
import assert from 'node:assert/strict'
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { AppError } from '../../../providers/app-runtime/app-runtime.ts'
import { storeFile } from '../../files/service.ts'
import * as projects from '../../projects/service.ts'
import type { ServedApp, VersionRow } from '../store.ts'

export interface HostedApp extends ServedApp {
  settings: Pick<VersionRow, 'allowed_hosts' | 'collections' | 'services'>
  test: boolean
}

/** Authorizes and runs an operation by its name. Returns the reply as JSON, empty without one. */
export type RunOperation = (
  name: string,
  given: Record<string, unknown>,
  caller: Caller,
) => Promise<string>

const runners = new WeakMap<Runtime, RunOperation>()

/** Hands in the operations, which this area cannot import. */
export function setOperationsOfApps(runtime: Runtime, run: RunOperation): void {
  runners.set(runtime, run)
}

interface Running {
  caller: Caller
  run(operation: string, given: Record<string, unknown>): Promise<unknown>
}

/** The arguments come from the code of the app; the operations validate them. */
type Method = (running: Running, args: unknown[]) => Promise<unknown>

const data: Record<string, Method> = {
  insert: ({ run }, [name, document]) => run('documents.create', { name, body: document }),
  get: ({ run }, [name, id]) => run('documents.get', { name, id }),
  list: ({ run }, [name, query]) => run('documents.list', { ...Object(query), name }),
  update: ({ run }, [name, id, body]) => run('documents.update', { name, id, body }),
  delete: ({ run }, [name, id]) => run('documents.delete', { name, id }),
}

const email: Record<string, Method> = {
  send: ({ run }, [mail]) => run('emails.create', { ...Object(mail) }),
}

const media: Record<string, Method> = {
  list: ({ run }, [query]) => run('media.list', { ...Object(query) }),
  get: ({ run }, [id]) => run('media.get', { id }),
  delete: ({ run }, [id]) => run('media.delete', { id }),
  link: ({ run }, [id, query]) => run('media.link', { ...Object(query), id }),
  complete: ({ run }, [id]) => run('media.complete_upload', { id }),
  uploadLink({ run }, [given]) {
    const { max_bytes = Infinity, ...file } = Object(given)
    if (file.bytes > max_bytes)
      throw new AppError('file_too_large', `The file is over ${max_bytes} bytes.`)
    return announce(run, file)
  },
  async put({ run, caller }, [given]) {
    const { base64, ...file } = Object(given)
    const content = Buffer.from(String(base64), 'base64')
    const digest = sha256(content).toString('hex')
    const upload = await announce(run, { ...file, sha256: digest, bytes: content.length })
    const { upload_id: id, status } = Object(upload)
    if (status === 'needed') await storeFile(caller.runtime, caller.project, content)
    return run('media.complete_upload', { id })
  },
}

async function announce(run: Running['run'], file: object): Promise<unknown> {
  const { uploads } = Object(await run('media.create_uploads', { files: [file] }))
  return uploads[0]
}

const chat: Record<string, Method> = {
  async ask({ run }, [text, options]) {
    const { conversation_id: id, ...start } = Object(options)
    if (id !== undefined) {
      const { reply } = Object(await run('conversations.send', { id, text }))
      return { conversation_id: id, reply: reply?.text ?? null }
    }
    const started = Object(await run('conversations.create', { ...start, message: text }))
    const last = started.messages.at(-1)
    const reply = last.role === 'assistant' ? last.text : null
    return { conversation_id: started.conversation.id, reply }
  },
}

const services = { data, email, media, chat }
type Service = keyof typeof services

/** What an app has to be granted, and the scopes that grant it. */
export const grantedServices = {
  email: ['messages:write'],
  media: ['sites:read', 'sites:write'],
  chat: ['chat:write'],
} as const satisfies Record<string, readonly Scope[]>

const scopesOf = { data: ['data:read', 'data:write'], ...grantedServices } as const

export function isService(name: string): name is Service {
  return Object.hasOwn(services, name)
}

export async function runService(
  runtime: Runtime,
  app: HostedApp,
  { name, input }: { name: Service; input: unknown },
): Promise<unknown> {
  const { method, args } = Object(input)
  if (!Object.hasOwn(services[name], method) || !Array.isArray(args))
    throw new AppError('TypeError', 'There is no such method.')
  requireGranted(app, name, args)
  const caller = await callerOf(runtime, app, name)
  const operations = runners.get(runtime)
  assert(operations, 'the runner of operations is handed in at the start')
  const run: Running['run'] = async (operation, given) => {
    const text = await operations(operation, given, caller)
    return text === '' ? null : JSON.parse(text)
  }
  try {
    return await services[name][method]!({ caller, run }, args)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new AppError(error.slug, error.message)
  }
}

function requireGranted({ settings }: HostedApp, name: Service, [collection]: unknown[]): void {
  if (name !== 'data' && settings.services.includes(name)) return
  if (name === 'data' && settings.collections.some((one) => one === collection)) return
  const what = name === 'data' ? `the collection "${collection}"` : name
  const where = name === 'data' ? 'collections' : 'services'
  const text = `The app may not use ${what}. Name it in ${where} of PUT /apps/{id}.`
  throw new AppError('Forbidden', text)
}

/** The app as a caller, for one of its services. */
async function callerOf(runtime: Runtime, app: HostedApp, service: Service): Promise<Caller> {
  const project = await projects.find(runtime.db, app.project_id)
  if (!project || !project.enabled) throw new AppError('Forbidden', 'The project is switched off.')
  const access: Caller['access'] = {
    sites: [app.site_id],
    apps: [app.id],
    collections: [...app.settings.collections],
    limited_by: 'api_key',
  }
  return {
    runtime,
    db: runtime.db,
    request_id: `app-${app.id}`,
    project,
    mode: app.test ? 'test' : 'live',
    key_id: app.id,
    app_id: app.id,
    scopes: new Set(scopesOf[service]),
    access: service === 'data' ? access : null,
    entry_point: 'job',
    agent: { id: app.id, name: app.name, cause: [] },
    idempotency_key: null,
    remember: async () => {},
  }
}
