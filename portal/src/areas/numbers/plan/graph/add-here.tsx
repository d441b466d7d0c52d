/** The types of steps to choose from, where a connection was dropped on empty space. */
import { useEffect, useRef } from 'react'
import { usePlanEditor } from '../editor-context.tsx'
import type { Path } from '../model/json.ts'
import { useTypeNames } from '../names.ts'
import { StepIcon } from '../step-icon.tsx'
import { usePlanTexts } from '../texts.ts'

export interface AddPlace {
  x: number
  y: number
  after: { id: string; path: Path }
}

export function AddHere({ place, onClose }: { place: AddPlace; onClose(): void }) {
  const t = usePlanTexts()
  const typeName = useTypeNames()
  const { schemas, addStep } = usePlanEditor()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.querySelector('button')?.focus(), [])
  return (
    <div
      ref={list}
      role="group"
      aria-label={t('add_after')}
      className="absolute z-20 w-52 rounded-xl bg-raised p-1.5 shadow-pop"
      style={{ left: place.x, top: place.y, translate: '-12% -8%' }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onClose()
      }}
    >
      <p className="px-2.5 pt-1 pb-1.5 text-xs font-medium text-faint">{t('add_after')}</p>
      {Object.keys(schemas).map((type) => (
        <button
          key={type}
          type="button"
          className="flex w-full items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-left hover:bg-hover focus-visible:bg-hover [&_svg]:size-4 [&_svg]:text-faint"
          onClick={() => {
            addStep(type, place.after)
            onClose()
          }}
        >
          <StepIcon type={type} />
          {typeName(type)}
        </button>
      ))}
    </div>
  )
}
