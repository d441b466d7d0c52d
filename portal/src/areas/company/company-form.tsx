/** The details of the company, or of the person of a personal account. */
import { useMemo, useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ProblemState } from '../../api/query-state.tsx'
import { useLanguage, type Language } from '../../language/texts.ts'
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { PhoneField } from '../../ui/forms/phone-field.tsx'
import { useSavedForm } from '../../ui/forms/saved-form.ts'
import { companyBody, companyFields, pathsOf, type CompanyFields } from './company-fields.ts'
import { companyKey, saveCompany, type Company } from './queries.ts'
import { useCompanyTexts } from './texts.ts'
import { usePhoneCountry } from './use-phone-country.ts'

const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV ' +
  'BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ' +
  'ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE ' +
  'IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY ' +
  'MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU ' +
  'NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM ' +
  'SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE ' +
  'VG VI VN VU WF WS YE YT ZA ZM ZW'

type FormOf = UseFormReturn<CompanyFields>
type Name = keyof CompanyFields

export function CompanyForm({ saved }: { saved: Company }) {
  const t = useCompanyTexts()
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
  const t = useCompanyTexts()
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
  const t = useCompanyTexts()
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
  const t = useCompanyTexts()
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
  const t = useCompanyTexts()
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
  const t = useCompanyTexts()
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
  const t = useCompanyTexts()
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

interface Country {
  code: string
  name: string
}

/** The countries of ISO 3166-1 with their names in the language of the person. */
function listCountries(language: Language): Country[] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  return codes
    .split(' ')
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((left, right) => left.name.localeCompare(right.name, language))
}
