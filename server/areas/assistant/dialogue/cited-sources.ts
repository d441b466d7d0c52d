/** The sources of a reply: where the knowledge that it repeats comes from. */
import type { Reader } from '../../../kernel/database/database.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'
import type { Passage } from '../../../providers/model/builtin/knowledge.ts'
import * as store from '../store.ts'

export interface CitedSource {
  title: string
  url: string | null
  source_id: string
}

const SOURCES_MAX = 3
const TITLE_CHARACTERS_MAX = 100
/** From this score on, a passage counts as used by a language model that does not quote it. */
const SCORE_MIN = 0.35

export type UsedPassage = Pick<Passage, 'title' | 'body'>

/** The passages that the answer repeats; those of a language model also if they match well. */
export function listUsedPassages(
  passages: readonly Passage[],
  text: string,
  is_builtin: boolean,
): UsedPassage[] {
  const used = passages.filter(({ body, title, score, source }) => {
    if (source === 'instruction') return false
    const is_quoted = text.includes(body) || (title !== '' && text.includes(title))
    return is_quoted || (!is_builtin && score >= SCORE_MIN)
  })
  return used.slice(0, SOURCES_MAX).map(({ title, body }) => ({ title, body }))
}

/** Adds the address and the id of each source. */
export async function nameSources(
  db: Reader,
  project_id: string,
  used: readonly UsedPassage[],
): Promise<CitedSource[]> {
  const found = await store.findSources(
    db,
    project_id,
    used.map(({ body }) => body),
  )
  return used.flatMap(({ title, body }) => {
    const source = found.get(body)
    return source ? [{ title: title || cutText(body, TITLE_CHARACTERS_MAX), ...source }] : []
  })
}
