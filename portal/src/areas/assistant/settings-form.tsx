/** The form for all settings of the assistant other than its hours and facts. */
import { Card } from '../../ui/display/card.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input, Textarea } from '../../ui/forms/input.tsx'
import { PhoneField } from '../../ui/forms/phone-field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { usePhoneCountry } from '../company/use-phone-country.ts'
import { LanguageList } from './language-list.tsx'
import type { Assistant, Settings } from './queries.ts'
import { useAssistantTexts } from './texts.ts'

const NAME_MAX = 100
const GREETING_MAX = 1_000
const INSTRUCTIONS_MAX = 20_000

export interface SettingsFormProps {
  settings: Settings
  base: Pick<Assistant, 'model' | 'models'>
  faultOf(path: string): string | undefined
  onChange(changes: Partial<Settings>): void
}

export function SettingsForm(props: SettingsFormProps) {
  const { settings, base, faultOf, onChange } = props
  const t = useAssistantTexts()
  const { name, greeting, instructions, languages, voice } = settings
  const has_choice = base.models.length > 1
  return (
    <div className="flex flex-col gap-6">
      <Card title={t('identity')} about={t('identity_about')}>
        <div className="flex flex-col gap-5">
          <Field label={t('name')} hint={t('name_hint')} fault={faultOf('/name')}>
            <Input
              autoComplete="off"
              maxLength={NAME_MAX}
              value={name}
              onChange={({ target }) => onChange({ name: target.value })}
            />
          </Field>
          <Field label={t('greeting')} hint={t('greeting_hint')} fault={faultOf('/greeting')}>
            <Textarea
              rows={2}
              maxLength={GREETING_MAX}
              placeholder={t('greeting_example', { name })}
              value={greeting}
              onChange={({ target }) => onChange({ greeting: target.value })}
            />
          </Field>
          <Field
            label={t('instructions')}
            hint={t('instructions_hint')}
            fault={faultOf('/instructions')}
          >
            <Textarea
              rows={8}
              maxLength={INSTRUCTIONS_MAX}
              placeholder={t('instructions_example')}
              value={instructions}
              onChange={({ target }) => onChange({ instructions: target.value })}
            />
          </Field>
        </div>
      </Card>
      <Card title={t('speech')} about={has_choice ? undefined : t('model_builtin')}>
        <div className="flex flex-col gap-5">
          {has_choice && <ModelField {...props} />}
          <LanguageList
            languages={languages}
            fault={languages.map((_, index) => faultOf(`/languages/${index}`)).find(Boolean)}
            onChange={(next) => onChange({ languages: next })}
          />
          <Field label={t('voice')} hint={t('voice_hint')} optional fault={faultOf('/voice')}>
            <Input
              autoComplete="off"
              maxLength={100}
              placeholder="nl-NL-female-1"
              value={voice ?? ''}
              onChange={({ target }) => onChange({ voice: target.value || null })}
            />
          </Field>
        </div>
      </Card>
      <Reach settings={settings} faultOf={faultOf} onChange={onChange} />
    </div>
  )
}

function ModelField({ settings, base, faultOf, onChange }: SettingsFormProps) {
  const t = useAssistantTexts()
  return (
    <Field label={t('field_model')} fault={faultOf('/model')}>
      <Select<string>
        value={settings.model ?? base.model}
        onChange={(model) => onChange({ model })}
        choices={base.models.map((value) =>
          value === 'builtin'
            ? { value, text: t('builtin'), hint: t('model_builtin') }
            : { value, text: value },
        )}
      />
    </Field>
  )
}

function Reach({ settings, faultOf, onChange }: Omit<SettingsFormProps, 'base'>) {
  const t = useAssistantTexts()
  const { transfer, website_url } = settings
  const country = usePhoneCountry()
  const change = (part: Partial<Settings['transfer']>) =>
    onChange({ transfer: { ...transfer, ...part } })
  return (
    <Card title={t('reach')} about={t('reach_about')}>
      <div className="grid gap-5 sm:grid-cols-2">
        <PhoneField
          label={t('phone')}
          hint={t('phone_hint')}
          optional
          value={transfer.phone ?? ''}
          onValue={(phone) => change({ phone: phone || null })}
          country={country}
          fault={faultOf('/transfer/phone')}
        />
        <Field
          label={t('email')}
          hint={t('email_hint')}
          optional
          fault={faultOf('/transfer/email')}
        >
          <Input
            type="email"
            autoComplete="off"
            placeholder="info@example.com"
            value={transfer.email ?? ''}
            onChange={({ target }) => change({ email: target.value.trim() || null })}
          />
        </Field>
        <div className="sm:col-span-2">
          <Field
            label={t('website')}
            hint={t('website_hint')}
            optional
            fault={faultOf('/website_url')}
          >
            <Input
              type="url"
              autoComplete="off"
              placeholder="https://example.com"
              value={website_url ?? ''}
              onChange={({ target }) => onChange({ website_url: target.value.trim() || null })}
            />
          </Field>
        </div>
      </div>
    </Card>
  )
}
