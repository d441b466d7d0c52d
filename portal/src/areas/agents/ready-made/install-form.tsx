/** The form with the settings of a ready-made agent, which installs it. */
import { useState } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useLanguage } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import {
  agentsKey,
  installTemplate,
  type Agent,
  type AgentTemplate,
  type TemplateSetting,
} from '../queries.ts'
import { useAgentTexts } from '../texts.ts'
import { SettingField } from './setting-field.tsx'

interface InstallFormProps {
  template: AgentTemplate
  onClose(): void
  onInstalled(agent: Agent): void
}

type Values = Readonly<Record<string, string>>

export function InstallForm({ template, onClose, onInstalled }: InstallFormProps) {
  const t = useAgentTexts()
  const scope = useProjectScope()
  const language = useLanguage()
  const { settings, instructions } = template
  const [values, setValues] = useState<Values>(() => startingValues(settings))
  const [isTried, setIsTried] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const isMissing = ({ name }: TemplateSetting) => values[name]?.trim() === ''
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const act = useAct({
    run: () =>
      installTemplate(scope, {
        template: template.template,
        language,
        timezone,
        settings: givenValues(settings, values),
      }),
    done: t('installed'),
    refresh: [agentsKey(scope)],
    onDone: onInstalled,
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-5 p-5"
      onSubmit={submit(() => {
        setIsTried(true)
        setProblem(null)
        if (!settings.some(isMissing)) act.mutate(undefined)
      })}
    >
      <p className="text-muted">{instructions}</p>
      {settings.length === 0 && <p className="text-sm text-muted">{t('settings_none')}</p>}
      {settings.map((setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
          value={values[setting.name] ?? ''}
          fault={isTried && isMissing(setting) ? t('settings_fault') : undefined}
          onChange={(value) => setValues({ ...values, [setting.name]: value })}
        />
      ))}
      {problem !== null && <ErrorState {...problem} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button kind="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('install')}
        </Button>
      </div>
    </form>
  )
}

function startingValues(settings: readonly TemplateSetting[]): Values {
  return Object.fromEntries(settings.map(({ name, value }) => [name, String(value ?? '')]))
}

function givenValues(settings: readonly TemplateSetting[], values: Values) {
  const entries = settings.map(({ name, kind }) => {
    const text = values[name]?.trim() ?? ''
    return [name, kind === 'number' ? Number(text) : text] as const
  })
  return Object.fromEntries(entries)
}
