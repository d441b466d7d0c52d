/** Sends files to upload links, with progress. `fetch` reports none for a body that it sends. */
import { ApiProblem } from '../api/client.ts'

export interface UploadLink {
  url: string
  headers: Readonly<Record<string, string>>
}

export interface Sending {
  link: UploadLink
  file: Blob
  signal: AbortSignal
  /** Is called with the number of bytes that were sent so far. */
  onSent(bytes: number): void
}

export function sendFile({ link, file, signal, onSent }: Sending): Promise<void> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    signal.addEventListener('abort', stop)
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', stop)
      if (request.status >= 200 && request.status < 300) return done()
      fail(problemOf(request))
    })
    request.open('PUT', link.url)
    for (const [name, value] of Object.entries(link.headers)) request.setRequestHeader(name, value)
    request.send(file)
  })
}

function problemOf({ status, responseText }: XMLHttpRequest): ApiProblem {
  return new ApiProblem(parsed(responseText), status)
}

function parsed(text: string): Record<string, never> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** SHA-256 in lower-case hex. Browsers offer it at https addresses and at localhost only. */
export async function sha256Of(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
