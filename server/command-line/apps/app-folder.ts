/**
 * The folder of an app: modules, `migrations/*.sql` in the order of their names, and `app.json` with
 * settings of the API. Files that .homeportignore names are left out.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import type * as apps from '../../areas/apps/service.ts'
import { CommandError } from '../command-error.ts'
import { readFolder } from '../sites/deploy-folder.ts'

type Deploy = Parameters<typeof apps.deploy>[2]
export type Migration = Parameters<typeof apps.migrate>[2]['migrations'][number]

export interface AppFolder {
  settings: Omit<Deploy, 'modules'>
  modules: NonNullable<Deploy['modules']>
  migrations: Migration[]
}

const SETTINGS = 'app.json'
const MIGRATIONS = 'migrations/'
const modulePattern = /(?<!\.d)\.(?:js|mjs|ts|json|txt|html|css|svg|sql|md)$/

/** Files below `pages` belong to the site. */
export function readAppFolder(dir: string, pages: string | undefined): AppFolder {
  const files = readFolder(dir).files.map(({ path, file }) => ({ path, file }))
  const site = pages === undefined ? null : `${relative(resolve(dir), resolve(pages))}/`
  const read = ({ path, file }: (typeof files)[number]) => ({
    path,
    text: readFileSync(file, 'utf8'),
  })
  const isModule = (path: string) =>
    modulePattern.test(path) &&
    path !== SETTINGS &&
    !path.startsWith(MIGRATIONS) &&
    (site === null || !path.startsWith(site))
  const modules = files.filter(({ path }) => isModule(path)).map(read)
  if (modules.length === 0) throw new CommandError(`${dir} has no module, such as main.ts.`)
  return { settings: readSettings(dir), modules, migrations: readMigrations(files.map(read)) }
}

function readMigrations(files: readonly { path: string; text: string }[]): Migration[] {
  return files
    .filter(({ path }) => path.startsWith(MIGRATIONS) && path.endsWith('.sql'))
    .map(({ path, text }) => ({ name: basename(path, '.sql'), sql: text }))
}

function readSettings(dir: string): AppFolder['settings'] {
  const file = join(dir, SETTINGS)
  if (!existsSync(file)) return {}
  try {
    return { ...JSON.parse(readFileSync(file, 'utf8')) }
  } catch {
    throw new CommandError(`${file} is not JSON.`)
  }
}
