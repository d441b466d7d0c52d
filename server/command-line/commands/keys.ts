/** Commands for API keys. The text of a key is printed only when it is created. */
import * as keys from '../../areas/keys/service.ts'
import type { Access, ProjectRow } from '../../contract/caller.ts'
import { isScope, scopeNames, type Scope } from '../../contract/scopes.ts'
import { fillAllowed } from '../../contract/limited-to.ts'
import { findNearestName } from '../../kernel/values/nearest.ts'
import { runtimeCommand } from '../command.ts'
import {
  id,
  line,
  listOf,
  oneOf,
  optional,
  required,
  withDefault,
  type OptionParser,
} from '../option-parsers.ts'
import { findProject, projectOrOnly } from './projects.ts'
import { CommandError } from '../command-error.ts'
import { formatFields, formatTable } from '../output.ts'

const NAME_CHARACTERS_MAX = 100

const scope: OptionParser<Scope> = {
  value: 'SCOPE',
  read(text) {
    if (isScope(text)) return text
    const near = findNearestName(text, scopeNames)
    const hint = near
      ? `Did you mean "${near}"?`
      : `The scopes are ${scopeNames.join(', ')}, or all.`
    throw new CommandError(`names the scope "${text}", which does not exist. ${hint}`)
  },
}

const scopes: OptionParser<readonly Scope[]> = {
  value: 'SCOPE,SCOPE|all',
  read: (text) => (text.trim() === 'all' ? keys.allScopes : listOf(scope).read(text)),
}

export const create = runtimeCommand({
  name: 'keys create',
  about: 'Creates an API key and prints it once.',
  options: {
    project: required(id, 'The project.'),
    mode: required(
      oneOf(['test', 'live']),
      'A test key makes no real calls, messages or payments; sites and data are real.',
    ),
    scopes: withDefault(scopes, keys.allScopes, 'The scopes of the key; by default all.'),
    'limit-sites': optional(listOf(id), 'The only sites that the key may use.'),
    name: optional(line(NAME_CHARACTERS_MAX), 'A name to recognize it by.'),
  },
  async run({ project: project_id, mode, scopes, 'limit-sites': sites, name }, runtime) {
    refuseOtherMode(await findProject(runtime.db, project_id), mode)
    const created = await keys.create(runtime, {
      project_id,
      mode,
      name: name ?? (mode === 'test' ? 'Test key' : 'Live key'),
      scopes,
      access: sites ? limitedTo(sites) : null,
    })
    const once = 'The key is shown only once: save it in a safe place now.'
    return { json: created, text: `${formatFields(created)}\n\n${once}` }
  },
})

function limitedTo(sites: string[]): Access {
  return { ...fillAllowed({ sites }), limited_by: 'api_key' }
}

/**
 * Refuses a key that authentication would reject, because its mode does not fit the project of a
 * pair.
 */
function refuseOtherMode(project: ProjectRow, mode: 'test' | 'live'): void {
  if (project.shape === 'single' || project.shape === mode) return
  throw new CommandError(
    `Project ${project.id} is the ${project.shape} project of a pair, where a ${mode} key does not ` +
      `work: create it for the ${mode} project, ${project.pair_id}.`,
  )
}

export const list = runtimeCommand({
  name: 'keys list',
  about: 'Lists the API keys of a project, newest first.',
  options: { project: optional(id, 'The project; optional if there is only one.') },
  async run({ project }, runtime) {
    const rows = await keys.list(runtime, await projectOrOnly(runtime.db, 'keys list', project))
    const headings = [
      'ID',
      'NAME',
      'KEY',
      'MODE',
      'SCOPES',
      'SITES',
      'CREATED',
      'EXPIRES',
      'REVOKED',
    ]
    const cells = rows.map((row) => [
      row.id,
      row.name,
      `${row.start}…`,
      row.mode,
      scopesInShort(row.scopes),
      row.access ? row.access.sites.length : 'all',
      row.created_at,
      row.expires_at,
      row.revoked_at,
    ])
    return {
      json: rows,
      text: rows.length > 0 ? formatTable(headings, cells) : 'The project has no key yet.',
    }
  },
})

function scopesInShort(names: readonly string[]): string {
  if (scopeNames.every((scope) => names.includes(scope))) return 'all'
  return names.length > 2 ? `${names.length} of ${scopeNames.length}` : names.join(', ')
}

export const revoke = runtimeCommand({
  name: 'keys revoke',
  about: 'Revokes an API key: from the next request on it gets 401.',
  options: { id: required(id, 'The key, by the id that "keys list" shows.') },
  async run({ id: key_id }, runtime) {
    const key = await keys.revoke(runtime, key_id)
    if (!key)
      throw new CommandError(`There is no key ${key_id}. "keys list" lists those of a project.`)
    return { json: key, text: `Key ${key.id} (${key.start}…, ${key.name}) no longer works.` }
  },
})
