/** The dialog that renames a key. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { changeKey, keysKey, type Key } from './queries.ts'
import { keyTexts } from './texts.ts'

export interface RenameKeyProps {
  row: Key
  open: boolean
  onOpenChange(open: boolean): void
}

export function RenameKeyDialog({ row, open, onOpenChange }: RenameKeyProps) {
  const t = useTexts(keyTexts)
  const scope = useProjectScope()
  const [name, setName] = useState(row.name)
  const act = useAct({
    run: () => changeKey(scope, row.id, { name: name.trim() }),
    done: t('done_renamed'),
    refresh: [keysKey(scope)],
    onDone: () => onOpenChange(false),
  })
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('rename')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          act.mutate(undefined)
        }}
      >
        <Field label={t('name')}>
          <Input
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <DialogButtons>
          <Button
            type="submit"
            kind="primary"
            busy={act.isPending}
            disabled={name.trim() === '' || name === row.name}
          >
            {t('save')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
