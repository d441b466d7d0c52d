/** Links that download a whole project. */
import type { ExportedTable } from '../../contract/manifest/exported-table.ts'
import { limits } from '../../contract/limits.ts'
import { downloadHeaders, type StreamReply } from '../../contract/operations/streams.ts'
import type { MemberCaller } from '../../contract/people.ts'
import { createSlots } from '../../kernel/limits/slots.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { openSealedLink, sealLink } from '../../kernel/secrets/sealed-links.ts'
import * as people from '../people/service.ts'
import { findBytes } from './archive/archive-store.ts'
import { writeArchive } from './archive/write.ts'
import type { ProjectExport } from './schema.ts'

export { ExportFault } from './archive/format.ts'
export { importProject, type ImportedProject } from './archive/read.ts'
export { tablesLeftOut } from './tables-left-out.ts'
export { writeArchive } from './archive/write.ts'

/** The purpose of the encryption of links. */
const PURPOSE = 'project-exports.link'

/** Each running export uses a database connection of its own while it reads rows. */
const one_each = {
  name: 'a project is exported',
  units: 8,
  units_each: 1,
  waiting_max: 0,
  waiting_each_max: 0,
  retry_after_s: 60,
} as const
const projectSlots = createSlots(one_each)
/** A person with several projects takes one place only. */
const personSlots = createSlots(one_each)

interface Linked {
  project_id: string
  /** The owner who created the link. */
  person_id: string
}

/** The link contains its ids encrypted, so only the entry of the activity is stored. */
export async function createLink({
  runtime,
  db,
  project,
  person,
}: MemberCaller): Promise<ProjectExport> {
  const content: Linked = { project_id: project.id, person_id: person.id }
  const lasts_s = limits.project_export_link_s
  const { token, expires_at } = sealLink(runtime, PURPOSE, { lasts_s, content })
  return {
    url: `${runtime.config.public_url}/project-exports/${token}`,
    expires_at: expires_at.toISOString(),
    bytes: await db.transact((tx) => findBytes(tx, project.id)),
  }
}

/**
 * Opens a link. Returns null if it was altered or has expired, if the project is gone, or if the
 * person who created it owns the project no more.
 */
export async function openLink(
  runtime: Runtime,
  token: string,
  exported: readonly ExportedTable[],
): Promise<StreamReply | null> {
  const linked = openSealedLink<Linked>(runtime, PURPOSE, token)
  if (!linked) return null
  const { project_id, person_id } = linked
  const membership = await people.findMembership(runtime.db, { id: person_id }, project_id)
  if (membership?.role !== 'owner') return null
  const { id, name } = membership.project
  return {
    media_type: 'application/gzip',
    headers: downloadHeaders(fileNameOf(name, runtime.clock.now())),
    bytes_per_s_min: limits.export_bytes_per_s_min,
    chunks: inTurn(linked, writeArchive(runtime, { project: { id, name }, exported })),
  }
}

/** Only letters and digits of the name, because headers allow no others. */
export function fileNameOf(name: string, now: Date): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
  return `${plain || 'project'}-${now.toISOString().slice(0, 10)}.tar.gz`
}

async function* inTurn(
  { project_id, person_id }: Linked,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const giveBackProject = await projectSlots.take(project_id)
  try {
    const giveBackPerson = await personSlots.take(person_id)
    try {
      yield* chunks
    } finally {
      giveBackPerson()
    }
  } finally {
    giveBackProject()
  }
}
