/** Exports the records about one person as a ZIP of JSON files, by a link that expires. */
import { Zip, ZipDeflate } from 'fflate'
import type { Caller } from '../../../contract/caller.ts'
import { limits } from '../../../contract/limits.ts'
import { downloadHeaders, type StreamReply } from '../../../contract/operations/streams.ts'
import type { PersonQuery } from '../../../contract/person/person.ts'
import { createPause } from '../../../kernel/limits/slices.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { openSealedLink, sealLink } from '../../../kernel/secrets/sealed-links.ts'
import * as projects from '../../projects/service.ts'
import { findDeclared } from '../of-areas.ts'
import { newSearch, readPerson, requireScopes } from './person-input.ts'
import type { PersonExport, PersonInput } from './schema.ts'
import { listNotSearched, exportSlots, titleOf } from './search.ts'

/** The purpose of the encryption of links. */
const PURPOSE = 'privacy.export'

type Linked = Omit<PersonQuery, 'related'>

/** The link contains the person encrypted, so nothing is stored. */
export function createLink(caller: Caller, input: PersonInput): PersonExport {
  const { runtime } = caller
  const person = readPerson(input)
  requireScopes(caller, 'read')
  const { project_id, test_only } = newSearch(caller, person)
  const content: Linked = { project_id, person, test_only }
  const lasts_s = limits.person_export_link_s
  const { token, expires_at } = sealLink(runtime, PURPOSE, { lasts_s, content })
  return {
    url: `${runtime.config.public_url}/personal-data/exports/${token}`,
    expires_at: expires_at.toISOString(),
  }
}

/** Opens a link. Returns null if it was altered or has expired, or if the project is gone. */
export async function openLink(runtime: Runtime, token: string): Promise<StreamReply | null> {
  const linked = openSealedLink<Linked>(runtime, PURPOSE, token)
  if (!linked || !(await projects.find(runtime.db, linked.project_id))) return null
  const { project_id, person, test_only } = linked
  const day = runtime.clock.now().toISOString().slice(0, 10)
  return {
    media_type: 'application/zip',
    headers: downloadHeaders(`personal-data-${day}.zip`),
    bytes_per_s_min: limits.export_bytes_per_s_min,
    chunks: streamInTurn(
      project_id,
      zip(writeFiles(runtime, { project_id, person, test_only, related: new Set() })),
    ),
  }
}

interface FilePart {
  file: string
  text: string
  is_end: boolean
}

/** One file for each kind, and last `about.json` with the numbers of records. */
async function* writeFiles(runtime: Runtime, search: PersonQuery): AsyncGenerator<FilePart> {
  const counts: { kind: string; title: string; file: string; records: number }[] = []
  for (const records of findDeclared(runtime).personalRecords) {
    const { kind, title } = titleOf(records)
    const file = `${kind}.json`
    let count = 0
    for await (const page of records.find(runtime.db, search))
      for (const { id, match, created_at, collection, data } of page) {
        const text = JSON.stringify({ id, match, created_at, collection, data }, null, 2)
        yield { file, text: `${count === 0 ? '[' : ','}\n${text}`, is_end: false }
        count += 1
      }
    yield { file, text: count === 0 ? '[]\n' : '\n]\n', is_end: true }
    counts.push({ kind, title, file, records: count })
  }
  const about = {
    created_at: runtime.clock.now().toISOString(),
    person: search.person,
    kinds: counts,
    not_searched: listNotSearched(),
  }
  yield { file: 'about.json', text: `${JSON.stringify(about, null, 2)}\n`, is_end: true }
}

/** Waits for a slot of the project, and frees it when the client has read everything or is gone. */
async function* streamInTurn(
  project_id: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const giveBack = await exportSlots.take(project_id)
  try {
    yield* chunks
  } finally {
    giveBack()
  }
}

/** Compresses the files while they are read. */
async function* zip(parts: AsyncIterable<FilePart>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const archive = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  const pause = createPause()
  let open: ZipDeflate | null = null
  for await (const { file, text, is_end } of parts) {
    if (open === null) {
      open = new ZipDeflate(file, { level: 6 })
      archive.add(open)
    }
    open.push(Buffer.from(text), is_end)
    if (is_end) open = null
    yield* ready.splice(0)
    await pause()
  }
  archive.end()
  yield* ready.splice(0)
}
