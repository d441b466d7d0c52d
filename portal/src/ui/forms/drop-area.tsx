/** An area that accepts dropped files, and a button that chooses files instead. */
import { Upload } from 'lucide-react'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Button, type ButtonKind, type ButtonSize } from '../actions/button.tsx'

export interface DropAreaProps {
  /** Describes the effect of a drop, shown while files are dragged over the area. */
  label: string
  disabled?: boolean
  onDrop(transfer: DataTransfer): void
  children: ReactNode
}

export function DropArea({ label, disabled = false, onDrop, children }: DropAreaProps) {
  // Entering a child also leaves its parent, so the depth is counted.
  const depth = useRef(0)
  const [isOver, setOver] = useState(false)
  if (disabled) return children
  const move = (event: DragEvent, by: number) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    depth.current = Math.max(0, depth.current + by)
    setOver(depth.current > 0)
  }
  return (
    <div
      data-drop-area
      className="relative min-h-[60dvh]"
      onDragEnter={(event) => move(event, 1)}
      onDragOver={(event) => event.preventDefault()}
      onDragLeave={(event) => move(event, -1)}
      onDrop={(event) => {
        event.preventDefault()
        depth.current = 0
        setOver(false)
        onDrop(event.dataTransfer)
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute -inset-3 z-30 grid place-items-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/90">
          <p className="flex items-center gap-3 text-xl font-semibold text-accent">
            <Upload aria-hidden="true" />
            {label}
          </p>
        </div>
      )}
    </div>
  )
}

export interface FileButtonProps {
  kind?: ButtonKind
  size?: ButtonSize
  /** Chooses a folder instead of files. */
  folder?: boolean
  multiple?: boolean
  accept?: string
  onChoose(files: File[]): void
  children: ReactNode
}

export function FileButton({
  kind,
  size,
  folder = false,
  multiple = true,
  accept,
  onChoose,
  children,
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple={multiple}
        hidden
        accept={accept}
        data-kind={folder ? 'folder' : multiple ? 'files' : 'file'}
        {...(folder && { webkitdirectory: '' })}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])])
          // Clears the input, so that the same files can be chosen again.
          target.value = ''
        }}
      />
      <Button
        {...(kind && { kind })}
        {...(size && { size })}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
    </>
  )
}
