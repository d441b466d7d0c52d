/** The dialog that takes permissions from a connection, or limits it to some sites. */
import { useState } from 'react'
import { useFormAct } from '../../api/form-act.ts'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { CheckList } from '../../ui/forms/check-list.tsx'
import { Fault } from '../../ui/forms/fault.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { isReach, ReachField } from '../access/reach-field.tsx'
import { useAccessTexts } from '../access/texts.ts'
import { useScopeTexts } from '../keys/scope-texts.ts'
import { changeConnection, connectionsKey, type Connection } from './queries.ts'

export function ChangeConnectionDialog({ row, onClose }: { row: Connection; onClose(): void }) {
  const t = useAccessTexts()
  const say = useScopeTexts()
  const scope = useProjectScope()
  const [scopes, setScopes] = useState(row.scopes)
  const [reach, setReach] = useState(row.access)
  const managesLimits = scope.may('admin') && scope.project.access === null
  const { act, fault, setFault } = useFormAct({
    run: () => changeConnection(scope, row.id, { scopes, ...(managesLimits && { access: reach }) }),
    done: t('saved'),
    refresh: [connectionsKey(scope)],
    onDone: onClose,
  })
  return (
    <Dialog
      onClose={onClose}
      title={t('limits_of', { name: row.client_name })}
      about={`${t('limits_about')} ${t('permissions_about')}`}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={submit(() => {
          if (scopes.length === 0) setFault(t('fault_permissions'))
          else if (!isReach(reach)) setFault(t('fault_sites'))
          else act.mutate(undefined)
        })}
      >
        <CheckList
          legend={t('permissions')}
          values={scopes}
          onChange={setScopes}
          choices={row.scopes.map((value) => ({ value, text: say(value), hint: value }))}
        />
        {managesLimits && <ReachField value={reach} onChange={setReach} />}
        <Fault text={fault} />
        <DialogButtons>
          <Button type="submit" kind="primary" busy={act.isPending}>
            {t('save')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
