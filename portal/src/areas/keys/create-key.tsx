/** The dialog that creates a key, and shows it once. */
import { useState } from 'react'
import { Controller, useController, useForm, type Control } from 'react-hook-form'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CheckList } from '../../ui/forms/check-list.tsx'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import type { ApiProblem } from '../../api/client.ts'
import { isReach, ReachField, type Reach } from '../access/reach-field.tsx'
import { accessTexts } from '../access/texts.ts'
import { createKey, keysKey, type Key, type KeyScope, type NewKey } from './queries.ts'
import { keyScopes, scopeTexts } from './scope-texts.ts'
import { ShownKey } from './shown-key.tsx'
import { keyTexts } from './texts.ts'

const NAME_CHARACTERS_MAX = 100

type Preset = 'full' | 'read_only' | 'custom'

interface Draft {
  name: string
  mode: Key['mode']
  preset: Preset
  scopes: KeyScope[]
  access: Reach
  /** The last day of the key; empty: it does not expire. */
  last_day: string
}

export interface CreateKeyProps {
  open: boolean
  onOpenChange(open: boolean): void
}

export function CreateKeyDialog({ open, onOpenChange }: CreateKeyProps) {
  const t = useTexts(keyTexts)
  const [made, setMade] = useState<NewKey | null>(null)
  const change = (next: boolean) => {
    onOpenChange(next)
    if (!next) setMade(null)
  }
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={change}
      title={made === null ? t('create') : t('created_title')}
      {...(made !== null && { about: t('created_about') })}
    >
      {made === null ? (
        <CreateForm onMade={setMade} />
      ) : (
        <ShownOnce made={made} onClose={() => change(false)} />
      )}
    </Dialog>
  )
}

function CreateForm({ onMade }: { onMade(key: NewKey): void }) {
  const t = useTexts(keyTexts)
  const scope = useProjectScope()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const form = useForm<Draft>({
    defaultValues: {
      name: '',
      mode: scope.project.shape === 'live' ? 'live' : 'test',
      preset: 'read_only',
      scopes: [],
      access: null,
      last_day: '',
    },
  })
  const preset = form.watch('preset')
  const act = useAct({
    run: ({ name, mode, preset, scopes, access, last_day }: Draft) =>
      createKey(scope, {
        name,
        mode,
        access,
        scopes: preset === 'custom' ? scopes : preset,
        expires_at: last_day === '' ? null : endOf(last_day).toISOString(),
      }),
    refresh: [keysKey(scope)],
    onDone: onMade,
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  const { errors } = form.formState
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => void form.handleSubmit((draft) => act.mutate(draft))(event)}
    >
      {problem !== null && <ErrorState {...problem} user_message={problem.user_message} />}
      <Field label={t('name')} hint={t('name_hint')} fault={errors.name?.message}>
        <Input
          autoComplete="off"
          maxLength={NAME_CHARACTERS_MAX}
          {...form.register('name', {
            validate: (name) => name.trim() !== '' || t('fault_name'),
          })}
        />
      </Field>
      <Controller
        control={form.control}
        name="mode"
        render={({ field }) => <ModeChoice value={field.value} onChange={field.onChange} />}
      />
      <Controller
        control={form.control}
        name="preset"
        render={({ field }) => <PresetChoice value={field.value} onChange={field.onChange} />}
      />
      {preset === 'custom' && <ScopeChoice control={form.control} />}
      <AccessChoice control={form.control} />
      <LastDay control={form.control} />
      <DialogButtons>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('create')}
        </Button>
      </DialogButtons>
    </form>
  )
}

interface ChoiceProps<Value> {
  value: Value
  onChange(value: Value): void
}

function ModeChoice({ value, onChange }: ChoiceProps<Key['mode']>) {
  const t = useTexts(keyTexts)
  const { project } = useProjectScope()
  const modes = project.shape === 'single' ? (['test', 'live'] as const) : [project.shape]
  return (
    <ChoiceCards
      legend={t('mode')}
      value={value}
      onChange={onChange}
      choices={modes.map((mode) => ({
        value: mode,
        title: t(mode),
        about: t(mode === 'test' ? 'test_about' : 'live_about'),
      }))}
    />
  )
}

function PresetChoice({ value, onChange }: ChoiceProps<Preset>) {
  const t = useTexts(keyTexts)
  const presets = [
    { value: 'read_only', title: t('read_only'), about: t('read_only_about') },
    { value: 'custom', title: t('custom'), about: t('custom_about') },
    { value: 'full', title: t('full'), about: t('full_about') },
  ] as const
  return (
    <ChoiceCards legend={t('permissions')} value={value} onChange={onChange} choices={presets} />
  )
}

function ScopeChoice({ control }: { control: Control<Draft> }) {
  const t = useTexts(keyTexts)
  const say = useTexts(scopeTexts)
  const { field, fieldState } = useController({
    control,
    name: 'scopes',
    rules: { validate: (scopes) => scopes.length > 0 || t('fault_scopes') },
  })
  const choices = keyScopes.map((value) => ({ value, text: say(value), hint: value }))
  return (
    <>
      <CheckList
        legend={t('scopes')}
        values={field.value}
        onChange={field.onChange}
        choices={choices}
      />
      {fieldState.error !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {fieldState.error.message}
        </p>
      )}
    </>
  )
}

function AccessChoice({ control }: { control: Control<Draft> }) {
  const say = useTexts(accessTexts)
  const { field, fieldState } = useController({
    control,
    name: 'access',
    rules: { validate: (access) => isReach(access) || say('fault_sites') },
  })
  return (
    <ReachField value={field.value} onChange={field.onChange} fault={fieldState.error?.message} />
  )
}

function LastDay({ control }: { control: Control<Draft> }) {
  const t = useTexts(keyTexts)
  const { field, fieldState } = useController({
    control,
    name: 'last_day',
    rules: {
      validate: (day) => day === '' || endOf(day) > new Date() || t('fault_expires'),
    },
  })
  return (
    <Field optional label={t('expires')} hint={t('expires_hint')} fault={fieldState.error?.message}>
      <Input type="date" {...field} />
    </Field>
  )
}

/** The end of a day in the time zone of the person. */
function endOf(day: string): Date {
  return new Date(`${day}T23:59:59.999`)
}

function ShownOnce({ made, onClose }: { made: NewKey; onClose(): void }) {
  const t = useTexts(keyTexts)
  return (
    <div className="flex flex-col gap-5">
      <ShownKey value={made.key} />
      <DialogButtons>
        <Button kind="primary" onClick={onClose}>
          {t('finish')}
        </Button>
      </DialogButtons>
    </div>
  )
}
