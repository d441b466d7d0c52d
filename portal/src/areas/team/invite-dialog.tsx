/** The dialog that invites a person. */
import { useState } from 'react'
import { Controller, useForm, type UseFormReturn } from 'react-hook-form'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import type { Role } from '../../api/session.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { say as announce } from '../../ui/overlays/toast.tsx'
import { isReach, ReachField, type Reach } from '../access/reach-field.tsx'
import { useAccessTexts } from '../access/texts.ts'
import { invite, teamKey, type Invitation } from './queries.ts'
import { useTeamTexts } from './texts.ts'

interface Draft {
  email: string
  role: Role
  access: Reach
}

export interface InviteDialogProps {
  open: boolean
  onOpenChange(open: boolean): void
}

function useInvite(form: UseFormReturn<Draft>, onOpenChange: InviteDialogProps['onOpenChange']) {
  const t = useTeamTexts()
  const scope = useProjectScope()
  const [made, setMade] = useState<Invitation | null>(null)
  const close = () => {
    form.reset()
    setMade(null)
    onOpenChange(false)
  }
  const act = useAct({
    run: ({ access, ...draft }: Draft) =>
      invite(scope, { ...draft, access: draft.role === 'owner' ? null : access }),
    refresh: [teamKey(scope)],
    onDone(invitation) {
      if (invitation.url !== null) return setMade(invitation)
      announce(t('done_invited'))
      close()
    },
    onFault(problem) {
      // The message with the link to larger plans is shown outside of the form.
      if (problem.plan_url !== null) return false
      form.setError('email', { message: problem.user_message })
      return true
    },
  })
  return { act, made, close }
}

export function InviteDialog({ open, onOpenChange }: InviteDialogProps) {
  const t = useTeamTexts()
  const say = useAccessTexts()
  const form = useForm<Draft>({ defaultValues: { email: '', role: 'member', access: null } })
  const { act, made, close } = useInvite(form, onOpenChange)
  if (made !== null && made.url !== null) {
    return <PassOn email={made.email} url={made.url} onClose={close} />
  }
  return (
    <Dialog
      open={open}
      onClose={() => onOpenChange(false)}
      title={t('invite')}
      about={t('invite_about')}
    >
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

/** On a server that sends no mail, the link is passed on by hand. */
function PassOn({ email, url, onClose }: { email: string; url: string; onClose(): void }) {
  const t = useTeamTexts()
  return (
    <Dialog onClose={onClose} title={t('invited_title', { email })} about={t('pass_on', { email })}>
      <CodeBlock code={url} label={t('link')} />
      <DialogButtons>
        <Button kind="primary" onClick={onClose}>
          {t('ready')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

function RoleField({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  const t = useTeamTexts()
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
