/** Starts the process of an app for a request or a schedule, with its live code, secrets and bindings. */
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  createAppRuntime,
  isIsolated,
  type AppParts,
  type AppRuntime,
  type AppUse,
} from '../../../providers/app-runtime/app-runtime.ts'
import { openSecrets } from '../secrets.ts'
import * as store from '../store.ts'
import { createHost } from './bindings.ts'

const runtimes = new WeakMap<Runtime, AppRuntime>()

function appRuntimeOf(runtime: Runtime): AppRuntime {
  const known = runtimes.get(runtime)
  if (known) return known
  const made = createAppRuntime()
  if (!isIsolated())
    runtime.log.warn(
      'the kernel allows no network namespaces, so only workerd keeps apps off the network',
    )
  runtimes.set(runtime, made)
  return made
}

/** Ends all app processes of this server. */
export async function closeApps(runtime: Runtime): Promise<void> {
  await runtimes.get(runtime)?.close()
}

/**
 * Returns a process for one request. Throws AppUnavailable, or AppStartFailed if the code does not load
 * any more.
 */
export function useApp(runtime: Runtime, app: store.ServedApp): Promise<AppUse> {
  const revision = `${app.version} ${app.secrets_revision}`
  return appRuntimeOf(runtime).use({ id: app.id, revision }, () => load(runtime, app))
}

async function load(runtime: Runtime, app: store.ServedApp): Promise<AppParts> {
  const key = { project_id: app.project_id, id: app.id }
  const [row, version, secrets] = await Promise.all([
    store.find(runtime.db, key),
    store.findVersion(runtime.db, { ...key, number: app.version }),
    openSecrets(runtime, key),
  ])
  if (!row || !version) throw new Error('The app was deleted.')
  const { test } = version
  const host = createHost(runtime, { ...app, settings: version, name: row.name, test })
  return { code: { modules: JSON.parse(version.code), secrets }, host }
}
