/** The definition of a version: its modules, and the settings that a request or an import makes. */
import type { AppDeploy, Module } from '../schema.ts'
import type { VersionRow } from '../store.ts'

export type Settings = Pick<
  VersionRow,
  'main' | 'allowed_hosts' | 'collections' | 'services' | 'schedules' | 'auth'
>

export interface Definition extends Settings {
  modules: readonly Module[]
}

/** The definition of an app that has no version yet. */
export function firstDefinition(input: AppDeploy, modules: readonly Module[]): Definition {
  return definitionOf(input, {
    modules,
    main: '',
    allowed_hosts: [],
    collections: [],
    services: [],
    schedules: [],
    auth: null,
  })
}

/** The settings of the request, or those of `kept`, whose modules are those of the new version. */
export function definitionOf(input: AppDeploy, kept: Definition): Definition {
  const { modules } = kept
  const paths = modules.map(({ path }) => path)
  const usual = ['main.ts', 'main.js', 'index.ts', 'index.js'].find((path) => paths.includes(path))
  const known = input.modules === undefined || paths.includes(kept.main) ? kept.main : ''
  return {
    modules,
    main: input.main ?? (known || usual || paths[0]!),
    allowed_hosts: input.allowed_hosts?.map((host) => host.toLowerCase()) ?? kept.allowed_hosts,
    collections: input.collections ?? kept.collections,
    services: input.services ?? kept.services,
    schedules:
      input.schedules?.map(({ cron, timezone = 'UTC' }) => ({ cron, timezone })) ?? kept.schedules,
    auth: input.auth === undefined ? kept.auth : readAuth(input.auth),
  }
}

/** A code by email always works, because it proves the address. */
function readAuth(given: NonNullable<AppDeploy['auth']>): Settings['auth'] {
  if (given === false) return null
  const { methods = [], name = null, color = null } = given === true ? {} : given
  return { methods: ['code', ...methods.filter((one) => one !== 'code')], name, color }
}

/** The columns of a version. */
export function columnsOf(definition: Definition) {
  const { modules, main, allowed_hosts, collections, services, schedules, auth } = definition
  return {
    modules: JSON.stringify(modules),
    main,
    allowed_hosts: JSON.stringify(allowed_hosts),
    collections: JSON.stringify(collections),
    services: JSON.stringify(services),
    schedules: JSON.stringify(schedules),
    auth: auth && JSON.stringify(auth),
    bytes: sizeOf(modules),
  }
}

export function sizeOf(modules: readonly Module[]): number {
  return modules.reduce((sum, { path, text }) => sum + path.length + Buffer.byteLength(text), 0)
}
