/** The dialog that invites a person. */
import { Controller, useForm } from 'react-hook-form'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import type { Role } from '../../api/session.ts'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { isReach, ReachField, type Reach } from '../access/reach-field.tsx'
import { accessTexts } from '../access/texts.ts'
import { invite, teamKey } from './queries.ts'
import { teamTexts } from './texts.ts'

interface Draft {
  email: string
  role: Role
  access: Reach
}

export interface InviteDialogProps {
  open: boolean
  onOpenChange(open: boolean): void
}

export function InviteDialog({ open, onOpenChange }: InviteDialogProps) {
  const t = useTexts(teamTexts)
  const say = useTexts(accessTexts)
  const scope = useProjectScope()
  const form = useForm<Draft>({ defaultValues: { email: '', role: 'member', access: null } })
  const act = useAct({
    run: ({ access, ...draft }: Draft) =>
      invite(scope, { ...draft, access: draft.role === 'owner' ? null : access }),
    done: t('done_invited'),
    refresh: [teamKey(scope)],
    onDone() {
      form.reset()
      onOpenChange(false)
    },
    onFault(problem) {
      // The message with the link to larger plans is shown outside of the form.
      if (problem.plan_url !== null) return false
      form.setError('email', { message: problem.user_message })
      return true
    },
  })
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('invite')} about={t('invite_about')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit((draft) => act.mutate(draft))(event)}
      >
        <Field label={t('email')} fault={form.formState.errors.email?.message}>
          <Input
            type="email"
            autoComplete="off"
            placeholder="anna@example.com"
            {...form.register('email', {
              validate: (email) => email.includes('@') || t('fault_email'),
            })}
          />
        </Field>
        <Controller
          control={form.control}
          name="role"
          render={({ field }) => <RoleField value={field.value} onChange={field.onChange} />}
        />
        {form.watch('role') !== 'owner' && (
          <Controller
            control={form.control}
            name="access"
            rules={{ validate: (access) => isReach(access) || say('fault_sites') }}
            render={({ field }) => (
              <ReachField
                value={field.value}
                onChange={field.onChange}
                fault={form.formState.errors.access?.message}
              />
            )}
          />
        )}
        <DialogButtons>
          <Button type="submit" kind="primary" busy={act.isPending}>
            {t('send')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

function RoleField({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  const t = useTexts(teamTexts)
  const scope = useProjectScope()
  const roles = (['viewer', 'member', 'admin', 'owner'] as const).filter((role) => scope.may(role))
  return (
    <Field label={t('role')}>
      <Select
        value={value}
        onChange={onChange}
        choices={roles.map((role) => ({ value: role, text: t(role), hint: t(`${role}_about`) }))}
      />
    </Field>
  )
}
