/** The thread of `read-document.ts`: reads one document, posts its text and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentOrder, DocumentText } from './read-document.ts'
import { cutText } from '../../../../kernel/values/cut-text.ts'

const TEXT_CHARACTERS_MAX = 500_000

async function read({ format, bytes }: DocumentOrder): Promise<DocumentText> {
  try {
    const text = await readWithLibrary({ format, bytes })
    return { text: cutText(text, TEXT_CHARACTERS_MAX) }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** Loads only the library of the format. */
async function readWithLibrary({ format, bytes }: DocumentOrder): Promise<string> {
  if (format === 'pdf') return (await import('./pdf.ts')).readPdf(bytes)
  return (await import('./docx.ts')).readDocx(bytes)
}

function faultOf(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'PasswordException') return 'It has a password.'
  if (name === 'DocumentTooLarge') return 'Its text is too large when it is unpacked.'
  return 'It cannot be read: it is damaged, or made to be unreadable.'
}

const order: DocumentOrder = workerData
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(await read(order))
