/** Sends one file to the media library, for fields that choose a file. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiProblem, type Scope } from '../../../api/client.ts'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { mediaKey, type Media } from '../queries.ts'
import { announce, complete, sendBytes } from './send-media.ts'

interface UploadState {
  /** From 0 to 1; null if nothing is being sent. */
  progress: number | null
  name: string
  fault: string | undefined
  start(file: File): void
}

/** Sends one file to the library. Leaving the field stops it. */
export function useUpload(onAdded: (file: Media) => void): UploadState {
  const scope = useProjectScope()
  const client = useQueryClient()
  const [progress, setProgress] = useState<number | null>(null)
  const ending = useRef(new AbortController())
  useEffect(() => () => ending.current.abort(), [])
  const sending = useMutation({
    mutationFn: (file: File) =>
      send({ scope, file, signal: ending.current.signal, onSent: setProgress }),
    async onSuccess(file) {
      await client.invalidateQueries({ queryKey: mediaKey(scope) })
      onAdded(file)
    },
    onSettled: () => setProgress(null),
  })
  const { error } = sending
  return {
    progress: sending.isPending ? (progress ?? 0) : null,
    name: sending.variables?.name ?? '',
    fault: error === null ? undefined : faultOf(error),
    start: (file) => sending.mutate(file),
  }
}

function faultOf(error: Error): string {
  return error instanceof ApiProblem ? error.user_message : error.message
}

interface Sending {
  scope: Scope
  file: File
  signal: AbortSignal
  onSent(share: number): void
}

async function send({ scope, file, signal, onSent }: Sending): Promise<Media> {
  const [link] = await announce({ scope, signal, files: [file] })
  if (link === undefined) throw new Error('The server gave no link.')
  const sent = { scope, signal, file, link, onSent: (bytes: number) => onSent(bytes / file.size) }
  const added = await complete(scope, await sendBytes(sent), signal)
  if (added.status !== 'ready') throw new Error(added.status_reason ?? added.status)
  return added
}
