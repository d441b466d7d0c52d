/**
 * Documents that the assistant may answer from. Each document becomes one passage: with a question
 * and an answer field it is treated as a fact, otherwise its fields and values are read out.
 * Passages are written in the document's transaction, so that no deleted document is quoted.
 */
import { limits } from '../../../contract/limits.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import { containsInjection } from '../../../providers/model/language/words.ts'
import { createPassage } from './passages.ts'
import * as store from '../store.ts'

const CHARACTERS_MAX = 600
const questionNames = ['question', 'vraag', 'frage', 'pregunta', 'domanda']
const answerNames = ['answer', 'antwoord', 'antwort', 'reponse', 'respuesta', 'risposta']
const titleNames = ['title', 'titel', 'titre', 'titulo', 'titolo', 'name', 'naam', 'nom', 'nombre']

export interface KnowledgeScope {
  project_id: string
  collection: { id: string; title: string }
}

interface LearnedDocument {
  id: string
  /** A JSON object. */
  data: unknown
}

/**
 * Replaces the passages of these documents. Skips documents beyond the project's limit, and
 * documents with instructions to the model, because a stranger may have sent them in a form.
 */
export async function indexDocuments(
  tx: Transaction,
  { project_id, collection }: KnowledgeScope,
  documents: readonly LearnedDocument[],
): Promise<void> {
  await unindexDocuments(
    tx,
    project_id,
    documents.map(({ id }) => id),
  )
  const languages = await readLanguages(tx, project_id)
  const passages = documents.flatMap(({ id, data }) => {
    const { title, body } = writePassageTexts(collection.title, data)
    if (body === '' || containsInjection(`${title} ${body}`)) return []
    return [{ ...createPassage({ title, body, url: null, languages }), document_id: id }]
  })
  if (passages.length === 0) return
  const documents_max = limits.assistant_documents_max
  await store.addDocuments(tx, {
    project_id,
    collection_id: collection.id,
    passages,
    documents_max,
  })
}

export async function unindexDocuments(
  tx: Transaction,
  project_id: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await store.removeDocuments(tx, project_id, ids)
}

export async function unindexCollection(
  tx: Transaction,
  project_id: string,
  collection_id: string,
): Promise<void> {
  await store.removeCollection(tx, project_id, collection_id)
}

/** The languages of a project's assistant; English if there is no assistant. */
export async function readLanguages(db: Reader, project_id: string): Promise<readonly string[]> {
  const found = await store.find(db, project_id)
  const languages = found?.profile.languages ?? []
  return languages.length > 0 ? languages : ['en']
}

/** Returns title and body of the passage of a document. */
export function writePassageTexts(
  collection_title: string,
  data: unknown,
): { title: string; body: string } {
  const fields = fieldsOf(data)
  const question = textNamed(fields, questionNames)
  const answer = textNamed(fields, answerNames)
  if (question !== '' && answer !== '') return { title: question, body: cut(answer) }
  const title = textNamed(fields, titleNames)
  const heading = title === '' ? collection_title : `${collection_title}: ${title}`
  const said = fields.flatMap(([name, value]) => spoken(name, value))
  return { title: heading, body: cut(said.join(', ')) }
}

type Field = [name: string, value: unknown]

function fieldsOf(data: unknown): Field[] {
  return typeof data === 'object' && data !== null ? Object.entries(data) : []
}

function textNamed(fields: readonly Field[], names: readonly string[]): string {
  for (const [name, value] of fields) {
    if (names.includes(plain(name)) && typeof value === 'string') return value.trim()
  }
  return ''
}

function plain(name: string): string {
  return name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
}

/** Formats a field and its value, such as `opening_hours: from 9`. Empty values are omitted. */
function spoken(name: string, value: unknown): string[] {
  const label = name.replaceAll(/[_-]+/g, ' ').trim()
  if (value === null || value === '') return []
  if (typeof value === 'string' || typeof value === 'number') return [`${label}: ${value}`]
  if (typeof value === 'boolean') return value ? [label] : []
  if (Array.isArray(value)) {
    const items = value.filter((item) => typeof item === 'string' || typeof item === 'number')
    return items.length > 0 ? [`${label}: ${items.join(', ')}`] : []
  }
  return fieldsOf(value).flatMap(([inner, one]) => spoken(`${label} ${inner}`, one))
}

function cut(text: string): string {
  return [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, CHARACTERS_MAX).join('')
}
