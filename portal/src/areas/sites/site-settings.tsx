/** The settings of a site that can change without a new version. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useForm, type UseFormReturn } from 'react-hook-form'
import type { ApiProblem } from '../../api/client.ts'
import { ConfirmedAct } from '../../api/confirmed-act.tsx'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ProblemState, QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { PublicRefusal, useCannotBePublic } from './publish-public.tsx'
import {
  changeSite,
  revokeToken,
  sitesKey,
  tokensQuery,
  type FormToken,
  type Site,
  type SiteChange,
  type Visibility,
} from './queries.ts'
import { useSavedForm } from '../../ui/forms/saved-form.ts'
import { useSiteTexts } from './texts.ts'
import { DeleteSite } from './delete-site.tsx'

export function SiteSettings({ site }: { site: Site }) {
  const { project } = useProjectScope()
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <General site={site} />
      <Access key={site.visibility} site={site} />
      {project.access === null && <Forms site={site} />}
      <DeleteSite site={site} />
    </div>
  )
}

/** Changes the site; the form shows an error above its fields. */
function useChange(site: Site, onSaved: (sent: SiteChange) => void) {
  const t = useSiteTexts()
  const scope = useProjectScope()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const act = useAct({
    run: (change: SiteChange) => changeSite(scope, site.id, change),
    done: t('saved'),
    refresh: [sitesKey(scope)],
    onDone(_site, sent) {
      setProblem(null)
      onSaved(sent)
    },
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  return { act, problem }
}

const SLUG = /^[a-z0-9](?:-?[a-z0-9])+$/

function General({ site }: { site: Site }) {
  const t = useSiteTexts()
  const { title, slug } = site
  const { form, markSaved } = useSavedForm({ title, slug })
  const { act, problem } = useChange(site, (sent) =>
    markSaved({ title: sent.title ?? title, slug: sent.slug ?? slug }),
  )
  const { errors, isDirty } = form.formState
  const save = (next: { title: string; slug: string }) =>
    act.mutate({
      ...(next.title !== title && { title: next.title }),
      ...(next.slug !== slug && { slug: next.slug }),
    })
  return (
    <Card title={t('general')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit(save)(event)}
      >
        {problem !== null && <ProblemState error={problem} />}
        <Field label={t('site_title')} fault={errors.title?.message}>
          <Input autoComplete="off" {...form.register('title', { required: t('fault_title') })} />
        </Field>
        <Field label={t('slug')} hint={t('slug_moves')} fault={errors.slug?.message}>
          <Input
            autoComplete="off"
            spellCheck={false}
            {...form.register('slug', {
              pattern: { value: SLUG, message: t('fault_slug') },
              maxLength: { value: 48, message: t('fault_slug') },
            })}
          />
        </Field>
        <div>
          <Button type="submit" kind="primary" disabled={!isDirty} busy={act.isPending}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

const visibilities = ['public', 'unlisted', 'password'] as const
const PASSWORD_MIN = 6

interface AccessFields {
  visibility: Visibility
  password: string
}

function VisibilityField({ form }: { form: UseFormReturn<AccessFields> }) {
  const t = useSiteTexts()
  return (
    <Controller
      control={form.control}
      name="visibility"
      render={({ field }) => (
        <ChoiceCards
          legend={t('who_sees')}
          value={field.value}
          onChange={field.onChange}
          choices={visibilities.map((value) => ({
            value,
            title: t(value),
            about: t(`${value}_about`),
          }))}
        />
      )}
    />
  )
}

function Access({ site }: { site: Site }) {
  const t = useSiteTexts()
  const isProtected = site.visibility === 'password'
  const form = useForm<AccessFields>({
    defaultValues: { visibility: site.visibility, password: '' },
  })
  const { act, problem } = useChange(site, () => form.resetField('password'))
  const { errors, isDirty } = form.formState
  const visibility = form.watch('visibility')
  const isRefused = useCannotBePublic() && visibility === 'public' && isDirty
  return (
    <Card title={t('visibility')} about={t('access_about')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) =>
          void form.handleSubmit((next) =>
            act.mutate({
              visibility: next.visibility,
              ...(next.visibility === 'password' && next.password && { password: next.password }),
            }),
          )(event)
        }
      >
        {problem !== null && <ProblemState error={problem} />}
        <VisibilityField form={form} />
        {isRefused && <PublicRefusal onUnlisted={() => form.setValue('visibility', 'unlisted')} />}
        {visibility === 'password' && (
          <Field
            label={t(isProtected ? 'new_password' : 'password')}
            hint={t(isProtected ? 'new_password_hint' : 'password_hint')}
            fault={errors.password?.message}
          >
            <Input
              autoComplete="new-password"
              {...form.register('password', {
                validate: (text) =>
                  text.length >= PASSWORD_MIN || (isProtected && text === '') || t('password_hint'),
              })}
            />
          </Field>
        )}
        <div>
          <Button
            type="submit"
            kind="primary"
            disabled={!isDirty || isRefused}
            busy={act.isPending}
          >
            {t('save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Shows the public token that the forms of the pages use. */
function Forms({ site }: { site: Site }) {
  const t = useSiteTexts()
  const query = useQuery(tokensQuery(useProjectScope(), site.id))
  return (
    <Card title={t('form_token')} about={t('form_token_about')}>
      <QueryState query={query}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p className="text-muted">{t('no_token')}</p>
          ) : (
            <ul className="flex flex-col gap-3">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </Card>
  )
}

function TokenRow({ token }: { token: FormToken }) {
  const t = useSiteTexts()
  const scope = useProjectScope()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1">
        <code className="font-mono text-sm">{token.start}…</code>
        <p className="text-sm text-muted">
          {t('last_used')}:{' '}
          {token.last_used_at === null ? t('never') : <Moment at={token.last_used_at} />}
        </p>
      </div>
      <ConfirmedAct
        title={t('revoke_title')}
        about={t('revoke_about')}
        text={t('revoke')}
        run={() => revokeToken(scope, token.id)}
        done={t('token_revoked')}
        refresh={[sitesKey(scope)]}
        button={(ask) => <Button onClick={ask}>{t('revoke')}</Button>}
      />
    </li>
  )
}
