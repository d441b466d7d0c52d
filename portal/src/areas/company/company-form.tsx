/** The details of the company, or of the person of a personal account. */
import { Controller, type UseFormReturn } from 'react-hook-form'
import { useMemo, useState } from 'react'
import type { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ProblemState } from '../../api/query-state.tsx'
import { useLanguage, useTexts } from '../../language/texts.ts'
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { PhoneField } from '../../ui/forms/phone-field.tsx'
import { companyBody, companyFields, pathsOf, type CompanyFields } from './company-fields.ts'
import { listCountries } from './countries.ts'
import { companyKey, saveCompany, type Company } from './queries.ts'
import { useSavedForm } from '../../ui/forms/saved-form.ts'
import { companyTexts } from './texts.ts'
import { usePhoneCountry } from './use-phone-country.ts'

type FormOf = UseFormReturn<CompanyFields>
type Name = keyof CompanyFields

export function CompanyForm({ saved }: { saved: Company }) {
  const t = useTexts(companyTexts)
  const scope = useProjectScope()
  const manages = scope.may('admin')
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const { form, markSaved } = useSavedForm(companyFields(saved))
  const act = useAct({
    run: (fields: CompanyFields) => saveCompany(scope, companyBody(fields)),
    done: t('saved'),
    refresh: [companyKey(scope), ['rails', scope.project_id]],
    onDone: (_company, sent) => markSaved(sent),
    onFault(fault) {
      setProblem(fault)
      for (const { path, message } of fault.faults) {
        const name = pathsOf[path]
        if (name !== undefined) form.setError(name, { message })
      }
      return true
    },
  })
  const { isDirty, dirtyFields } = form.formState
  const account_type = form.watch('account_type')
  return (
    <form
      noValidate
      className="flex min-w-0 flex-col gap-6"
      onSubmit={(event) => {
        setProblem(null)
        form.clearErrors()
        void form.handleSubmit((fields) => act.mutate(fields))(event)
      }}
    >
      {problem !== null && <ProblemState error={problem} />}
      <fieldset disabled={!manages} className="contents">
        <Card title={t('who')} aside={<State company={saved} />}>
          <ChoiceCards
            legend={t('account_type')}
            value={account_type}
            onChange={(value) => form.setValue('account_type', value, { shouldDirty: true })}
            choices={[
              { value: 'business', title: t('business'), about: t('business_about') },
              { value: 'personal', title: t('personal'), about: t('personal_about') },
            ]}
          />
          {dirtyFields.account_type && (
            <p className="mt-2 text-sm text-muted">{t('account_type_hint')}</p>
          )}
          {account_type === 'business' && <BusinessFields form={form} />}
        </Card>
        <AddressFields form={form} />
        <ContactFields form={form} />
      </fieldset>
      {manages ? (
        <div>
          <Button type="submit" kind="primary" busy={act.isPending} disabled={!isDirty}>
            {t('save')}
          </Button>
        </div>
      ) : (
        <p className="text-muted">{t('admins')}</p>
      )}
      <UnsavedGuard active={isDirty && !act.isPending} />
    </form>
  )
}

function State({ company: { complete, missing } }: { company: Company }) {
  const t = useTexts(companyTexts)
  return complete ? (
    <Badge tone="good">{t('complete')}</Badge>
  ) : (
    <p className="text-sm text-warn">
      {t('missing', { fields: missing.map((name) => t(`detail_${name}`)).join(', ') })}
    </p>
  )
}

interface TextFieldProps {
  form: FormOf
  name: Name
  hint?: string
  optional?: boolean
  autoComplete?: string
  placeholder?: string
}

function TextField({ form, name, hint, optional, autoComplete = 'off', ...rest }: TextFieldProps) {
  const t = useTexts(companyTexts)
  const fault = form.formState.errors[name]?.message
  return (
    <Field
      label={t(name)}
      fault={fault}
      {...(hint !== undefined && { hint })}
      {...(optional && { optional })}
    >
      <Input autoComplete={autoComplete} maxLength={200} {...rest} {...form.register(name)} />
    </Field>
  )
}

function BusinessFields({ form }: { form: FormOf }) {
  const t = useTexts(companyTexts)
  return (
    <div className="mt-5 grid gap-5 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <TextField form={form} name="company_name" autoComplete="organization" />
      </div>
      <TextField form={form} name="register_number" hint={t('register_hint')} />
      <TextField
        form={form}
        name="vat_number"
        hint={t('vat_hint')}
        placeholder="NL123456782B90"
        optional
      />
    </div>
  )
}

function AddressFields({ form }: { form: FormOf }) {
  const t = useTexts(companyTexts)
  return (
    <Card title={t('address')}>
      <div className="grid gap-5 sm:grid-cols-[2fr_1fr]">
        <TextField form={form} name="street" autoComplete="address-line1" />
        <TextField form={form} name="house_number" />
        <TextField form={form} name="city" autoComplete="address-level2" />
        <TextField form={form} name="postal_code" autoComplete="postal-code" />
        <CountryField form={form} />
      </div>
    </Card>
  )
}

/** A select of the browser, which fills in the country of a saved address. */
function CountryField({ form }: { form: FormOf }) {
  const t = useTexts(companyTexts)
  const language = useLanguage()
  const countries = useMemo(() => listCountries(language), [language])
  return (
    <Field label={t('country')} fault={form.formState.errors.country?.message}>
      <select className="control h-9" autoComplete="country" {...form.register('country')}>
        <option value="">{t('country_choose')}</option>
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}

function ContactFields({ form }: { form: FormOf }) {
  const t = useTexts(companyTexts)
  const saved = usePhoneCountry()
  const country = form.watch('country') || saved
  return (
    <Card title={t('contact')} about={t('contact_about')}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField form={form} name="name" autoComplete="name" />
        <Controller
          control={form.control}
          name="phone"
          render={({ field, fieldState }) => (
            <PhoneField
              label={t('phone')}
              value={field.value}
              onValue={field.onChange}
              country={country}
              fault={fieldState.error?.message}
              autoComplete="tel"
            />
          )}
        />
        <TextField form={form} name="registrar_contact_name" hint={t('registrar_hint')} optional />
      </div>
    </Card>
  )
}
