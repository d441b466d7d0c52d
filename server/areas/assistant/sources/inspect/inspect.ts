/** Lists the indexed passages of a source, and searches them for a question without a model. */
import type { MemberCaller } from '../../../../contract/people.ts'
import { Problem } from '../../../../contract/errors.ts'
import { limits } from '../../../../contract/limits.ts'
import { refuseSlowSearch } from '../../../../contract/problems/search-timeout.ts'
import { readPage } from '../../../../contract/schema/pages.ts'
import {
  createSlidingWindow,
  type SlidingWindow,
} from '../../../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import { isSure } from '../../../../providers/model/builtin/builtin-knowledge.ts'
import { detectLanguage, fold, languageOf } from '../../../../providers/model/language/words.ts'
import { retrieveKnowledge } from '../../knowledge/retrieval.ts'
import { defaultProfile } from '../../profile.ts'
import * as settings from '../../store.ts'
import { findListed } from '../manage.ts'
import * as store from './inspect-store.ts'
import type {
  KnowledgeFound,
  KnowledgeSearch,
  KnowledgeUsage,
  Passages,
  PassagesQuery,
} from './schema.ts'

type Asker = Pick<MemberCaller, 'runtime' | 'db' | 'project'>

export async function readUsage({ db, project }: Asker): Promise<KnowledgeUsage> {
  const { sources, chunks, documents } = await store.countKnowledge(db, project.id)
  return {
    sources: { used: sources, max: limits.assistant_sources_max },
    chunks: { used: chunks, max: limits.assistant_chunks_max },
    documents: { used: documents, max: limits.assistant_documents_max },
    pages_max: limits.assistant_source_pages_max,
    text_characters_max: limits.assistant_source_text_characters_max,
    document_bytes_max: limits.assistant_document_bytes_max,
  }
}

const refuseSlow = refuseSlowSearch(limits.assistant_search_s_max, 'Search for fewer words.')

export async function listPassages(
  caller: MemberCaller,
  id: string,
  { q = '', ...query }: PassagesQuery,
): Promise<Passages> {
  await findListed(caller, id)
  const words = fold(q)
  const key = { project_id: caller.project.id, source_id: id }
  return readPage(caller, {
    list: `passages of ${id} with ${words}`,
    query,
    read: (count, after) =>
      store
        .listPassages(caller.db, { ...key, words, count, after })
        .catch(refuseSlow({ q: words })),
    bytesOf: ({ text }) => text.length,
  })
}

export async function searchKnowledge(
  { runtime, db, project, person }: MemberCaller,
  { question }: KnowledgeSearch,
): Promise<KnowledgeFound> {
  requireSearchRate(runtime, person.id)
  const found = await settings.find(db, project.id)
  const profile = found?.profile ?? defaultProfile(project.name)
  const language = detectLanguage(question) ?? languageOf(profile.languages[0] ?? '') ?? 'en'
  const asked = { project_id: project.id, profile, said: question, before: '', language }
  const { passages } = await retrieveKnowledge(runtime, asked)
  const bodies = passages.map(({ body }) => body)
  const origins = await settings.findSources(db, project.id, bodies)
  const listed = passages.map(({ source, title, body, score }) => {
    const { url = null, source_id = '' } = origins.get(body) ?? {}
    return {
      kind: source,
      source_id: source === 'fact' || source === 'instruction' ? null : source_id || null,
      title,
      text: body,
      url: url || null,
      score: Math.round(score * 100) / 100,
      answers: isSure({ source, score }),
    }
  })
  return { passages: listed }
}

const windows = new WeakMap<Runtime['wakeups'], SlidingWindow>()

/** Throws rate_limited if the person searches too often. */
function requireSearchRate({ clock, wakeups }: Runtime, person_id: string): void {
  const { knowledge_searches_max: limit, knowledge_searches_window_s: window_s } = limits
  const window =
    windows.get(wakeups) ?? createSlidingWindow(clock, { limit, window_ms: window_s * 1000 })
  windows.set(wakeups, window)
  const { allowed, retry_after_s } = window.pass(person_id)
  if (allowed) return
  const detail = `You searched ${limit} times in ${window_s} seconds.`
  throw new Problem('rate_limited', detail, { retry_after_s })
}
