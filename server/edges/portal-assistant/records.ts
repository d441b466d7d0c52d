/**
 * Finds records of a project by the words of a sentence. It reads the same lists as the pages, as
 * the person, so it finds nothing that they may not see.
 */
import type { PortalSource } from '../../areas/portal-assistant/schema.ts'
import { Problem } from '../../contract/errors.ts'
import type { MemberCaller } from '../../contract/people.ts'
import { isRecord, type JsonRecord } from '../../contract/manifest/state-section.ts'
import { fold, likelyName, nameWords } from './words.ts'

/** Runs a reading operation as the person. Returns its reply. */
export type Read = (
  operation: string,
  given: JsonRecord,
  caller: MemberCaller,
) => Promise<JsonRecord>

interface RecordKind {
  about: string
  operation: string
  given?: JsonRecord
  /** Fields that name the record, the title first. */
  names: readonly string[]
  href(item: JsonRecord): string
}

const LISTED = 100
const FOUND_MAX = 8
const LABEL_CHARACTERS_MAX = 100

const byId = (path: string) => (item: JsonRecord) => `${path}/${String(item['id'])}`
const at = (path: string) => () => path

/** Lists that are short enough to read, and compare by name. */
const listed: readonly RecordKind[] = [
  {
    about: 'Site',
    operation: 'sites.list',
    given: { limit: LISTED },
    names: ['title', 'slug', 'url'],
    href: byId('/sites'),
  },
  {
    about: 'Collection',
    operation: 'collections.list',
    given: { limit: LISTED },
    names: ['title', 'name', 'description'],
    href: (item) => `/data/${String(item['name'])}`,
  },
  { about: 'Phone number', operation: 'numbers.list', names: ['e164'], href: byId('/numbers') },
  {
    about: 'Webhook',
    operation: 'webhooks.list',
    given: { limit: LISTED },
    names: ['url', 'description'],
    href: at('/webhooks'),
  },
  { about: 'API key', operation: 'keys.list', names: ['name'], href: at('/keys') },
]

/** Lists that the server searches. */
const searched: readonly RecordKind[] = [
  {
    about: 'File',
    operation: 'media.list',
    names: ['title', 'filename', 'description'],
    href: at('/media'),
  },
  {
    about: 'Call',
    operation: 'calls.list',
    names: ['from', 'to', 'created_at'],
    href: at('/calls'),
  },
]

const COLLECTIONS_MAX = 10
const HITS_EACH = 3

export async function findRecords(
  caller: MemberCaller,
  said: string,
  read: Read,
): Promise<PortalSource[]> {
  const words = nameWords(said)
  const name = likelyName(said)
  const source = { caller, read }
  const [lists, contents] = await Promise.all([
    Promise.all(listed.map((kind) => matching(source, kind, words))),
    name === null ? [] : Promise.all(searched.map((kind) => searchIn(source, kind, name))),
  ])
  const documents = name === null ? [] : await searchDocuments(source, name)
  const found = lists.flat().toSorted((one, other) => other.score - one.score)
  const all = [...documents, ...contents.flat(), ...found.map(({ hit }) => hit)]
  return all.slice(0, FOUND_MAX)
}

interface Source {
  caller: MemberCaller
  read: Read
}

/** Returns no items if the person may not read them. */
async function itemsOf({ caller, read }: Source, operation: string, given: JsonRecord) {
  try {
    const { data } = await read(operation, given, caller)
    return Array.isArray(data) ? data.filter(isRecord) : []
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

async function matching(source: Source, kind: RecordKind, words: readonly string[]) {
  if (words.length === 0) return []
  const items = await itemsOf(source, kind.operation, kind.given ?? {})
  return items.flatMap((item) => {
    const score = scoreOf(kind.names.map((name) => item[name]).join(' '), words)
    return score === 0 ? [] : [{ score, hit: toSource(kind, item) }]
  })
}

/** Returns the total length of the words of the sentence that the label has too. */
function scoreOf(label: string, words: readonly string[]): number {
  const whole = fold(label)
  const parts = whole.match(/[\p{L}\d]+/gu) ?? []
  const matched = words.filter((word) =>
    word.length > 5 && whole.includes(word)
      ? true
      : parts.some(
          (part) => part === word || (word.length > 3 && part.startsWith(word.slice(0, -1))),
        ),
  )
  return matched.join('').length
}

function toSource({ about, names, href }: RecordKind, item: JsonRecord): PortalSource {
  const named = names.map((name) => item[name]).filter((value) => typeof value === 'string')
  const title = named.find((value) => value !== '') ?? String(item['id'])
  return { kind: 'record', title: short(title), about, href: href(item) }
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > LABEL_CHARACTERS_MAX ? `${line.slice(0, LABEL_CHARACTERS_MAX)}…` : line
}

async function searchIn(source: Source, kind: RecordKind, name: string): Promise<PortalSource[]> {
  const items = await itemsOf(source, kind.operation, { q: name, limit: HITS_EACH })
  return items.map((item) => toSource(kind, item))
}

async function searchDocuments(source: Source, name: string): Promise<PortalSource[]> {
  const collections = await itemsOf(source, 'collections.list', { limit: COLLECTIONS_MAX })
  const found = await Promise.all(
    collections.map(async (collection) => {
      const of = String(collection['name'])
      const given = { name: of, q: name, limit: HITS_EACH }
      const documents = await itemsOf(source, 'documents.list', given)
      const about = `Document in ${String(collection['title'] ?? of)}`
      return documents.map(({ data }): PortalSource => {
        return { kind: 'record', title: short(labelOf(data)), about, href: `/data/${of}` }
      })
    }),
  )
  return found.flat()
}

/** A label of a document: its first three texts or numbers. */
function labelOf(data: unknown): string {
  const values = isRecord(data) ? Object.values(data) : []
  const plain = values.filter((value) => ['string', 'number'].includes(typeof value))
  return plain.slice(0, 3).map(String).join(', ') || '…'
}
