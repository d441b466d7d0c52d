/** The keys of the inbox: j and k move, r replies, e closes. */
import { useEffect, useRef } from 'react'

export interface InboxKeys {
  ids: readonly string[]
  selected: string
  onSelect(id: string): void
  onReply(): void
  onClose(): void
}

export function useInboxKeys(keys: InboxKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTaken(event)) return
      if (!press(event.key, latest.current)) return
      event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** Returns whether the key does something. */
function press(key: string, { ids, selected, onSelect, onReply, onClose }: InboxKeys): boolean {
  const step = { j: 1, k: -1 }[key]
  if (step !== undefined) {
    const next = ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(selected) + step))]
    if (next === undefined) return false
    onSelect(next)
    document.querySelector(`[data-conversation="${next}"]`)?.scrollIntoView({ block: 'nearest' })
    return true
  }
  if (selected === '' || (key !== 'r' && key !== 'e')) return false
  if (key === 'r') onReply()
  else onClose()
  return true
}

/** Dialogs and menus. The messages in the corner of the page are dialogs that are not modal. */
const ABOVE = ':is([role=dialog], [role=alertdialog]):not([aria-modal=false]), [role=menu]'

/** Whether the key belongs to a field or to something that is open above the page. */
function isTaken({ target }: KeyboardEvent): boolean {
  const isAbove = document.querySelector(ABOVE) !== null
  if (isAbove || !(target instanceof HTMLElement)) return isAbove
  return target.isContentEditable || target.matches('input, textarea, select')
}
