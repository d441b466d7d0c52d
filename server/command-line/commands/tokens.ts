/**
 * Commands for public tokens of web pages. The text of a token is printed only when it is created.
 */
import * as publicTokens from '../../areas/public-tokens/service.ts'
import { limits } from '../../contract/limits.ts'
import { runtimeCommand } from '../command.ts'
import {
  id,
  line,
  listOf,
  optional,
  required,
  withDefault,
  type OptionParser,
} from '../option-parsers.ts'
import { projectOrOnly } from './projects.ts'
import { CommandError } from '../command-error.ts'
import { formatFields, formatTable } from '../output.ts'

const origin: OptionParser<string> = {
  value: 'URL',
  read(text) {
    const found = publicTokens.normalizeOrigin(text)
    if (found !== null) return found
    throw new CommandError(
      'must be the origin of a site, such as https://www.example.nl, without a path (http for ' +
        `localhost only), not ${JSON.stringify(text.slice(0, 60))}.`,
    )
  },
}

const origins: OptionParser<string[]> = {
  value: 'URL,URL',
  read(text) {
    const found = [...new Set(listOf(origin).read(text))]
    if (found.length <= limits.public_token_origins_max) return found
    throw new CommandError(`must name at most ${limits.public_token_origins_max} origins.`)
  },
}

export const create = runtimeCommand({
  name: 'tokens create',
  about: 'Creates a public token for the pages of a site, and prints it once.',
  options: {
    origin: required(origins, 'The origins of the pages, such as https://www.example.nl.'),
    name: withDefault(
      line(publicTokens.NAME_CHARACTERS_MAX),
      'Public token',
      'A name to recognize it by.',
    ),
    project: optional(id, 'The project; optional if there is only one.'),
  },
  async run({ origin: allowed_origins, name, project }, runtime) {
    const project_id = await projectOrOnly(runtime.db, 'tokens create', project)
    const { token, ...facts } = await publicTokens.create(runtime, {
      project_id,
      name,
      allowed_origins,
    })
    const created = { id: facts.id, token, project_id, name, allowed_origins }
    const once = 'The token is shown only once. It is not a secret and may be published in a page.'
    return { json: created, text: `${formatFields(created)}\n\n${once}` }
  },
})

export const list = runtimeCommand({
  name: 'tokens list',
  about: 'Lists the public tokens of a project, newest first.',
  options: { project: optional(id, 'The project; optional if there is only one.') },
  async run({ project }, runtime) {
    const rows = await publicTokens.list(
      runtime,
      await projectOrOnly(runtime.db, 'tokens list', project),
    )
    const headings = ['ID', 'NAME', 'TOKEN', 'ORIGINS', 'CREATED', 'LAST USED', 'REVOKED']
    const cells = rows.map((row) => [
      row.id,
      row.name,
      `${row.start}…`,
      row.allowed_origins,
      row.created_at,
      row.last_used_at,
      row.revoked_at,
    ])
    return {
      json: rows,
      text: rows.length > 0 ? formatTable(headings, cells) : 'The project has no public token yet.',
    }
  },
})

export const revoke = runtimeCommand({
  name: 'tokens revoke',
  about: 'Revokes a public token: from the next request on it gets 401.',
  options: { id: required(id, 'The token, by the id that "tokens list" shows.') },
  async run({ id: token_id }, runtime) {
    const token = await publicTokens.revoke(runtime, token_id)
    if (!token)
      throw new CommandError(
        `There is no public token ${token_id}. "tokens list" lists those of a project.`,
      )
    return {
      json: token,
      text: `Token ${token.id} (${token.start}…, ${token.name}) no longer works.`,
    }
  },
})
