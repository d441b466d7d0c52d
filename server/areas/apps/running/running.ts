/** Starts the process of an app for a request or a schedule, with its live code, secrets and bindings. */
import assert from 'node:assert/strict'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  AppUnavailable,
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
  return appRuntimeOf(runtime).use(app, () => load(runtime, app))
}

/** The live version, because a deploy may have followed the lookup of a request. */
async function load(runtime: Runtime, { project_id, id }: store.AppKey): Promise<AppParts> {
  const key = { project_id, id }
  const app = await store.findServed(runtime.db, key)
  if (!app) throw new AppUnavailable('The app was deleted.', 1)
  const [version, secrets] = await Promise.all([
    store.findVersion(runtime.db, { ...key, number: app.version }),
    openSecrets(runtime, key),
  ])
  assert(version, 'the live version is kept')
  const host = createHost(runtime, { ...app, settings: version, test: version.test })
  const code = { modules: JSON.parse(version.code), secrets }
  return { revision: app.revision, code, host }
}
