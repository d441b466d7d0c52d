/** Secrets of apps: sealed, never shown, in `env` of the code by their names. */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { afterCommit, type Reader } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { bindings } from '../../providers/app-runtime/workerd-config.ts'
import { findApp, unknownApp } from './apps.ts'
import { APPS_TOPIC } from './deploy/deploy.ts'
import type { SecretList, SecretsInput } from './schema.ts'
import * as store from './store.ts'

export const SECRET_PURPOSE = 'app-secret'

export async function listSecrets(caller: Caller, id: string): Promise<SecretList> {
  await findApp(caller, id)
  return listOf(caller.db, { project_id: caller.project.id, id })
}

async function listOf(db: Reader, key: store.AppKey): Promise<SecretList> {
  const rows = await store.listSecrets(db, key)
  return {
    data: rows.map(({ name, updated_at }) => ({ name, updated_at: updated_at.toISOString() })),
  }
}

/** PUT /apps/{id}/secrets */
export async function putSecrets(
  caller: Caller,
  id: string,
  { secrets }: SecretsInput,
): Promise<SecretList> {
  const { runtime, project } = caller
  await findApp(caller, id)
  requireNames(secrets)
  const key = { project_id: project.id, id }
  return caller.db.transact(async (tx) => {
    const row = await store.lock(tx, key)
    if (!row) throw unknownApp()
    const now = runtime.clock.now()
    for (const [name, value] of Object.entries(secrets)) {
      if (value === null) await store.deleteSecret(tx, { ...key, name })
      else {
        const sealed_value = runtime.seal.seal(value, SECRET_PURPOSE)
        const { project_id, id: app_id } = key
        await store.putSecret(tx, { project_id, app_id, name, sealed_value, updated_at: now })
      }
    }
    const list = await listOf(tx, key)
    if (list.data.length > limits.app_secrets_max) throw tooMany()
    await store.update(tx, key, { revision: row.revision + 1, updated_at: now })
    afterCommit(tx, () => runtime.wakeups.announce(APPS_TOPIC))
    return list
  })
}

function requireNames(secrets: SecretsInput['secrets']): void {
  const errors = Object.entries(secrets).flatMap(([name, value]) => {
    const path = `/secrets/${name}`
    if (Object.hasOwn(bindings, name))
      return [{ path, message: 'is a name that the code has for something else' }]
    if (value?.includes('\0')) return [{ path, message: 'must not contain U+0000' }]
    return []
  })
  if (errors.length === 0) return
  const [first] = errors
  throw new Problem('validation_failed', `${first!.path} ${first!.message}.`, { errors })
}

function tooMany(): Problem {
  const errors = [
    { path: '/secrets', message: `makes more than ${limits.app_secrets_max} secrets` },
  ]
  return new Problem('validation_failed', 'The app would have too many secrets.', { errors })
}

/** The values, for the process of the app. */
export async function openSecrets(
  runtime: Runtime,
  key: store.AppKey,
): Promise<Record<string, string>> {
  const rows = await store.listSecrets(runtime.db, key)
  return Object.fromEntries(
    rows.map(({ name, sealed_value }) => [name, runtime.seal.open(sealed_value, SECRET_PURPOSE)]),
  )
}
