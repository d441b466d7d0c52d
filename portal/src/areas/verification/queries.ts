/** Requests about the verification of a project. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { companyKey } from '../company/queries.ts'

export type Verification = Schemas['ProjectVerification']
export type Level = Verification['levels'][number]
export type Document = Verification['documents'][number]
export type Kind = Document['kind']
export type LevelName = 'company' | 'number_documents' | 'full'
export type Declaration = Schemas['VerificationDeclareBody']

export const verificationKey = (scope: Scope) => [...companyKey(scope), 'verification'] as const

const REFRESH_MS = 5_000

/** A level in review is read again, because the business register answers within seconds. */
export function verificationQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: verificationKey(scope),
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/verification', { params, signal })),
    refetchInterval: ({ state }) =>
      state.data?.levels.some(({ status }) => status === 'pending') ? REFRESH_MS : false,
  })
}

export interface CodeWanted {
  phone: string
  channel: 'sms' | 'call'
  language: 'en' | 'nl'
}

export function sendCode(scope: Scope, body: CodeWanted) {
  const given = { params: inProject(scope), body }
  return read(api.POST('/projects/{project_id}/verification/phone', given))
}

export function confirmCode(scope: Scope, body: { id: string; code: string }) {
  const given = { params: inProject(scope), body }
  return read(api.POST('/projects/{project_id}/verification/phone/confirm', given))
}

export function announceDocument(scope: Scope, kind: Kind, file: File) {
  const body = { kind, filename: file.name.slice(0, 200), bytes: Math.max(file.size, 1) }
  const given = { params: inProject(scope), body }
  return read(api.POST('/projects/{project_id}/verification/documents', given))
}

export function removeDocument(scope: Scope, document_id: string) {
  const params = inProject(scope, { document_id })
  return read(api.DELETE('/projects/{project_id}/verification/documents/{document_id}', { params }))
}

export function saveDeclaration(scope: Scope, body: Declaration) {
  const given = { params: inProject(scope), body }
  return read(api.PUT('/projects/{project_id}/verification/declaration', given))
}

function inLevel(scope: Scope, level: LevelName) {
  const { path, ...rest } = inProject(scope)
  return { params: { ...rest, path: { ...path, level } } }
}

export function submitLevel(scope: Scope, level: LevelName) {
  const given = inLevel(scope, level)
  return read(api.POST('/projects/{project_id}/verification/levels/{level}/submit', given))
}

export function withdrawLevel(scope: Scope, level: LevelName) {
  const given = inLevel(scope, level)
  return read(api.POST('/projects/{project_id}/verification/levels/{level}/withdraw', given))
}
