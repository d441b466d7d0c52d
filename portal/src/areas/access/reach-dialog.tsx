/** The dialog that limits a key or a member to some sites. */
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormAct } from '../../api/form-act.ts'
import { Button } from '../../ui/actions/button.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { isReach, ReachField, type Reach } from './reach-field.tsx'
import { useAccessTexts } from './texts.ts'

export interface ReachDialogProps {
  /** The name of the key or member that is limited. */
  name: string
  reach: Reach
  save(reach: Reach): Promise<unknown>
  refresh: readonly QueryKey[]
  onClose(): void
}

export function ReachDialog({ name, reach, save, refresh, onClose }: ReachDialogProps) {
  const t = useAccessTexts()
  const [value, setValue] = useState(reach)
  const { act, fault, setFault } = useFormAct({
    run: () => save(value),
    done: t('saved'),
    refresh,
    onDone: onClose,
  })
  return (
    <Dialog onClose={onClose} title={t('limits_of', { name })} about={t('limits_about')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={submit(() => {
          if (isReach(value)) act.mutate(undefined)
          else setFault(t('fault_sites'))
        })}
      >
        <ReachField value={value} onChange={setValue} fault={fault} />
        <DialogButtons>
          <Button type="submit" kind="primary" busy={act.isPending}>
            {t('save')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
