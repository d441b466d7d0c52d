/** The password and the sessions of the signed-in person. */
import { queryOptions } from '@tanstack/react-query'
import { api, read, type Schemas } from '../../api/client.ts'

export type Session = Schemas['SessionsListReply']['data'][number]

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await read(api.GET('/sessions', { signal }))).data,
})

export function endSession(session_id: string) {
  return read(api.DELETE('/sessions/{session_id}', { params: { path: { session_id } } }))
}

export function savePassword(password: string) {
  return read(api.PUT('/me/password', { body: { password } }))
}
