/** What every field of a step gets, and the button that removes a part of it. */
import { X } from 'lucide-react'
import { Button } from '../../../../ui/actions/button.tsx'
import type { Json, Path } from '../model/json.ts'
import type { Schema } from '../model/node-schema.ts'
import { usePlanTexts } from '../texts.ts'

export interface FieldState {
  id: string
  path: Path
  name: string
  label: string
  schema: Schema
  value: Json | undefined
  isOptional: boolean
  fault: string | undefined
  change(value: Json | undefined): void
}

export function RemoveButton({ item, onRemove }: { item: string; onRemove(): void }) {
  const t = usePlanTexts()
  return (
    <Button kind="ghost" size="icon" aria-label={t('remove_item', { item })} onClick={onRemove}>
      <X aria-hidden="true" />
    </Button>
  )
}
