/** A panel at the side of the screen: the navigation on a phone, or the details of a record. */
import { lazy, Suspense, type ReactNode } from 'react'
import type { DrawerProps } from './drawer-parts.tsx'
import { useOpened } from './opened.ts'

const Parts = lazy(async () => ({ default: (await import('./drawer-parts.tsx')).DrawerParts }))

export function Drawer(props: DrawerProps) {
  if (!useOpened(props.open)) return null
  return (
    <Suspense fallback={null}>
      <Parts {...props} />
    </Suspense>
  )
}

export interface RecordDrawerProps<Row> {
  /** The open record, or its id; null while none is open. */
  record: Row | null
  title(record: Row): string
  onClose(): void
  children(record: Row): ReactNode
}

/** The drawer of one record of a list. Its parts are below each other. */
export function RecordDrawer<Row>({ record, title, onClose, children }: RecordDrawerProps<Row>) {
  return (
    <Drawer open={record !== null} onClose={onClose} title={record === null ? '' : title(record)}>
      {record !== null && <div className="flex flex-col gap-6 p-5">{children(record)}</div>}
    </Drawer>
  )
}
