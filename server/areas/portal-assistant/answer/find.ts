/**
 * The answer without a language model: passages of the documentation, records of the project, the
 * page of the portal, and the operation with its form, in which the values of the sentence are filled
 * in. It says plainly that it searched.
 */
import type { MemberCaller } from '../../../contract/people.ts'
import type { PortalForm, PortalSource } from '../schema.ts'
import { findToolbox, type KnownOperation } from '../toolbox.ts'
import { fillIn, withoutValues } from './fill.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'

export interface Found {
  text: string
  sources: PortalSource[]
  form: PortalForm | null
}

const RECORDS_MAX = 6
const DOCS_MAX = 3
const SAID_CHARACTERS_MAX = 500
/** A wish of which no larger share is known matches by chance. */
const SHARE_MIN = 0.5
/** The beginning of a question or of a wish to see something, which wants no form. */
const asks =
  /^(?:open|show|find|see|go to|take me|toon|bekijk|zoek|ga naar|how|what|why|where|when|which|who|is|are|do|does|hoe|wat|waarom|waar|wanneer|welke?|wie|hebben|heeft)(?![\p{L}])/iu

const texts = {
  en: {
    found: 'Here is what I found.',
    form: 'I filled in what I recognised. Check it before you continue.',
    records: 'These records match.',
    nothing: 'I found nothing about that in the documentation or in this project.',
    open: 'Page',
  },
  nl: {
    found: 'Dit heb ik gevonden.',
    form: 'Ik heb ingevuld wat ik herkende. Controleer het voordat u doorgaat.',
    records: 'Deze gegevens passen bij uw vraag.',
    nothing: 'Ik heb hierover niets gevonden in de documentatie of in dit project.',
    open: 'Pagina',
  },
} as const

export interface Search {
  text: string
  language: 'en' | 'nl'
  today: string
}

export async function find(caller: MemberCaller, search: Search): Promise<Found> {
  const toolbox = findToolbox(caller.runtime)
  const said = cutText(search.text, SAID_CHARACTERS_MAX)
  const wish = (withoutValues(said) || said).slice(0, 200)
  const { hits, share } = toolbox.searchOperations(wish)
  const records = await toolbox.searchRecords(caller, said)
  const allowed = await keepAllowed(caller, hits)
  const best = share > SHARE_MIN ? allowed[0] : undefined
  const docs = await toolbox.searchDocs(wish, best && wordsOf(best))
  const t = texts[search.language]
  const form = best && !asks.test(said.trim()) && isForm(best) ? toForm(best, search) : null
  const page = best?.page ?? null
  const sources: PortalSource[] = [
    ...records.slice(0, RECORDS_MAX),
    ...(page === null ? [] : [toPage(page, t.open)]),
    ...docs.slice(0, DOCS_MAX),
  ]
  const text =
    form !== null
      ? t.form
      : records.length > 0
        ? t.records
        : sources.length > 0
          ? t.found
          : t.nothing
  return { text, sources, form }
}

/** Leaves out operations that this person may not use here. */
async function keepAllowed(
  caller: MemberCaller,
  hits: readonly KnownOperation[],
): Promise<KnownOperation[]> {
  const toolbox = findToolbox(caller.runtime)
  const checked = await Promise.all(
    hits.map((hit) =>
      toolbox.allow(hit.operation, caller).then(
        () => hit,
        () => null,
      ),
    ),
  )
  return checked.filter((hit) => hit !== null)
}

/** English words for the search of the documentation. */
function wordsOf({ operation }: KnownOperation): string {
  return operation.name.replaceAll(/[._]/g, ' ')
}

/** A reading operation without arguments has nothing to fill in: its page shows the same. */
function isForm({ operation, shape, page }: KnownOperation): boolean {
  const required: unknown = shape['required']
  const isNeeded = Array.isArray(required) && required.length > 0
  return operation.effect !== 'read' || (isNeeded && page === null)
}

function toForm(
  { operation, title, shape, fields, page }: KnownOperation,
  search: Search,
): PortalForm {
  const { name, about, consent, effect } = operation
  return {
    operation: name,
    title,
    about: consent?.about ?? about,
    effect,
    shape: { ...shape },
    values: fillIn(fields, search),
    page,
  }
}

function toPage(page: string, title: string): PortalSource {
  return { kind: 'page', title, about: '', href: page }
}
