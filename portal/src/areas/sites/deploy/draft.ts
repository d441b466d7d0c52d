/**
 * The files that the person has chosen but not yet published. They are stored outside the pages, so
 * that a refused deploy can be corrected without choosing the files again.
 */
import { useState, useSyncExternalStore } from 'react'
import { showError } from '../../../ui/overlays/toast.tsx'
import type { NewSite, Visibility } from '../queries.ts'
import { useSiteTexts } from '../texts.ts'
import { hashFiles, type HashedFile } from './hashed-files.ts'
import { pickChosen, pickDropped, type Picked } from './picked-files.ts'
import { slugOf } from './slug.ts'
import { UnreadableZip } from './zip.ts'

export interface Draft {
  /** Different for every draft. */
  id: number
  /** Name of the folder; empty without one. */
  name: string
  files: readonly HashedFile[]
  /** The person's input for a new site. */
  entered: NewSite | null
}

let draft: Draft | null = null
let last_id = 0
const listeners = new Set<() => void>()

export function setDraft(next: Omit<Draft, 'id'> | null): void {
  last_id += 1
  draft = next === null ? null : { ...next, id: last_id }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useDraft(): Draft | null {
  return useSyncExternalStore(subscribe, () => draft)
}

/**
 * Reads files into the draft, or reports why it cannot. With a visibility the draft is a new site that
 * has it.
 */
export function usePick(visibility?: Visibility) {
  const t = useSiteTexts()
  const [isReading, setReading] = useState(false)
  const read = async (picking: Promise<Picked>) => {
    setReading(true)
    try {
      const { name, files } = await picking
      if (files.length === 0) return showError(t('fault_empty'), t('fault_empty_about'))
      if (!isSecureContext) return showError(t('fault_insecure'))
      const entered = visibility === undefined ? null : { slug: slugOf(name), visibility }
      setDraft({ name, files: await hashFiles(files), entered })
    } catch (error) {
      showError(t(error instanceof UnreadableZip ? 'fault_zip' : 'fault_read'))
    } finally {
      setReading(false)
    }
  }
  return {
    isReading,
    onDrop: (transfer: DataTransfer) => void read(pickDropped(transfer)),
    onChoose: (files: File[]) => void read(pickChosen(files)),
  }
}
