/** The dialog that creates a key, and shows it once. */
import { useState } from 'react'
import type { Look } from '../../api/operation-fields.ts'
import { OperationForm, type Editing } from '../../api/operation-form.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { CheckList } from '../../ui/forms/check-list.tsx'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { Fault } from '../../ui/forms/fault.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { isReach, ReachField, type Reach } from '../access/reach-field.tsx'
import { useAccessTexts } from '../access/texts.ts'
import { createKey, keysKey, type KeyInput, type KeyScope, type NewKey } from './queries.ts'
import { keyScopes, useScopeTexts } from './scope-texts.ts'
import { ShownKey } from './shown-key.tsx'
import { useKeyTexts } from './texts.ts'

export interface CreateKeyProps {
  open: boolean
  onOpenChange(open: boolean): void
}

export function CreateKeyDialog({ open, onOpenChange }: CreateKeyProps) {
  const t = useKeyTexts()
  const [made, setMade] = useState<NewKey | null>(null)
  const change = (next: boolean) => {
    onOpenChange(next)
    if (!next) setMade(null)
  }
  return (
    <Dialog
      wide
      open={open}
      onClose={() => change(false)}
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
  const t = useKeyTexts()
  const scope = useProjectScope()
  return (
    <OperationForm
      operation="keys.create"
      fields={useFields()}
      control={({ path }, editing) => {
        if (path === 'scopes') return <ScopesField {...editing} />
        if (path !== 'access') return null
        const { text, fault, set } = editing
        const choose = (reach: Reach) => set(reach === null ? '' : JSON.stringify(reach))
        return <ReachField value={reachOf(text)} onChange={choose} fault={fault} />
      }}
      action={t('create')}
      refresh={[keysKey(scope)]}
      run={(body: KeyInput) => createKey(scope, body)}
      onDone={onMade}
    />
  )
}

function useFields(): Look[] {
  const t = useKeyTexts()
  const say = useAccessTexts()
  const { project } = useProjectScope()
  const modes = project.shape === 'single' ? (['test', 'live'] as const) : [project.shape]
  return [
    {
      path: 'name',
      label: t('name'),
      hint: t('name_hint'),
      check: (text) => (text === '' ? t('fault_name') : undefined),
    },
    {
      path: 'mode',
      label: t('mode'),
      initial: modes[0],
      choices: modes.map((value) => ({ value, text: t(value), about: t(`${value}_about`) })),
    },
    {
      path: 'scopes',
      label: t('permissions'),
      initial: 'read_only',
      check: (text) => (text === CUSTOM ? t('fault_scopes') : undefined),
      toValue: (text) => (text.startsWith(CUSTOM) ? scopesOf(text) : text),
    },
    {
      path: 'access',
      label: say('reach'),
      check: (text) => (isReach(reachOf(text)) ? undefined : say('fault_sites')),
      toValue: reachOf,
    },
    {
      path: 'expires_at',
      label: t('expires'),
      hint: t('expires_hint'),
    },
  ]
}

/** An empty text is the whole project. */
function reachOf(text: string): Reach {
  return text === '' ? null : JSON.parse(text)
}

/** Its chosen scopes are the lines after it. */
const CUSTOM = 'custom'

function scopesOf(text: string): KeyScope[] {
  const lines = text.split('\n')
  return keyScopes.filter((name) => lines.includes(name))
}

function ScopesField({ text, fault, set }: Editing) {
  const t = useKeyTexts()
  const say = useScopeTexts()
  const [custom, setCustom] = useState(CUSTOM)
  const isCustom = text.startsWith(CUSTOM)
  const presets = ['read_only', CUSTOM, 'full'] as const
  return (
    <div className="flex flex-col gap-5">
      <ChoiceCards<string>
        legend={t('permissions')}
        value={isCustom ? CUSTOM : text}
        onChange={(value) => set(value === CUSTOM ? custom : value)}
        choices={presets.map((value) => ({ value, title: t(value), about: t(`${value}_about`) }))}
      />
      {isCustom && (
        <CheckList
          legend={t('scopes')}
          values={scopesOf(text)}
          onChange={(scopes) => {
            const next = [CUSTOM, ...scopes].join('\n')
            setCustom(next)
            set(next)
          }}
          choices={keyScopes.map((value) => ({ value, text: say(value), hint: value }))}
        />
      )}
      <Fault text={fault} />
    </div>
  )
}

function ShownOnce({ made, onClose }: { made: NewKey; onClose(): void }) {
  const t = useKeyTexts()
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
