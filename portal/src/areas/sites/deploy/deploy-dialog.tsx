/** Publishes the chosen files: as a new site, or as a new version of one. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { ChoiceCards } from '../../../ui/forms/choice-cards.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { filesQuery, type NewSite, type Site } from '../queries.ts'
import { PublicRefusal, useCannotBePublic } from '../publish-public.tsx'
import { useSiteTexts } from '../texts.ts'
import { startDeploy } from './deploy.ts'
import { FileSummary } from './file-summary.tsx'
import { setDraft, useDraft, type Draft } from './draft.ts'
import { compare } from './hashed-files.ts'
import { isSlug, slugOf } from './slug.ts'

export interface DeployDialogProps {
  /** The sites that can get a new version; a single one on the page of a site. */
  sites: readonly Site[]
  /** Whether the person may create a site. */
  mayCreate: boolean
}

export function DeployDialog({ sites, mayCreate }: DeployDialogProps) {
  const t = useSiteTexts()
  const draft = useDraft()
  return (
    <Dialog open={draft !== null} onClose={() => setDraft(null)} title={t('publish')} wide>
      {draft !== null && (
        <Target key={draft.id} draft={draft} sites={sites} mayCreate={mayCreate} />
      )}
    </Dialog>
  )
}

const NEW = 'new'

function Target({ draft, sites, mayCreate }: DeployDialogProps & { draft: Draft }) {
  const t = useSiteTexts()
  const alike = sites.find(({ slug }) => slug === slugOf(draft.name))
  const [chosen, setChosen] = useState(
    alike?.id ?? (mayCreate && draft.entered === null ? NEW : (sites[0]?.id ?? NEW)),
  )
  const site = draft.entered === null ? sites.find(({ id }) => id === chosen) : undefined
  return (
    <div className="flex flex-col gap-5">
      {mayCreate && sites.length > 0 && draft.entered === null && (
        <Field label={t('target')}>
          <Select
            value={chosen}
            onChange={setChosen}
            choices={[
              { value: NEW, text: t('target_new') },
              ...sites.map(({ id, title, slug }) => ({
                value: id,
                text: t('target_version', { title }),
                hint: slug,
              })),
            ]}
          />
        </Field>
      )}
      {site === undefined ? (
        <NewSiteForm draft={draft} />
      ) : (
        <NewVersion key={site.id} draft={draft} site={site} />
      )}
    </div>
  )
}

function NewSiteForm({ draft }: { draft: Draft }) {
  const t = useSiteTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  const { name, files, entered } = draft
  const form = useForm<Required<NewSite>>({
    defaultValues: { slug: slugOf(name), visibility: 'public', password: '', ...entered },
  })
  const { errors } = form.formState
  const visibility = form.watch('visibility')
  const isRefused = useCannotBePublic() && visibility === 'public'
  const submit = ({ slug, visibility, password }: Required<NewSite>) => {
    const target = { slug, visibility, ...(visibility === 'password' && { password }) }
    setDraft(null)
    startDeploy({ scope, client, files, name, target })
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <FileSummary files={files} difference={null} />
      <Field label={t('slug')} hint={t('slug_hint')} fault={errors.slug?.message}>
        <Input
          autoComplete="off"
          spellCheck={false}
          {...form.register('slug', {
            validate: (slug) => isSlug(slug) || t('fault_slug'),
          })}
        />
      </Field>
      <Controller
        control={form.control}
        name="visibility"
        render={({ field }) => (
          <ChoiceCards
            legend={t('visibility')}
            value={field.value}
            onChange={field.onChange}
            choices={(['public', 'unlisted', 'password'] as const).map((value) => ({
              value,
              title: t(value),
              about: t(`${value}_about`),
            }))}
          />
        )}
      />
      {isRefused && <PublicRefusal onUnlisted={() => form.setValue('visibility', 'unlisted')} />}
      {visibility === 'password' && (
        <Field label={t('password')} hint={t('password_hint')} fault={errors.password?.message}>
          <Input
            autoComplete="new-password"
            {...form.register('password', {
              validate: (text) => text.length >= PASSWORD_MIN || t('password_hint'),
            })}
          />
        </Field>
      )}
      <DialogButtons>
        <Button type="submit" kind="primary" disabled={isRefused}>
          {t('publish')}
        </Button>
      </DialogButtons>
    </form>
  )
}

const PASSWORD_MIN = 6

function NewVersion({ draft, site }: { draft: Draft; site: Site }) {
  const t = useSiteTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const client = useQueryClient()
  const { data: live } = useQuery(filesQuery(scope, site.id, site.version))
  const hasHome = draft.files.some(({ path }) => path === 'index.html')
  const [way, setWay] = useState<'replace' | 'add'>(hasHome ? 'replace' : 'add')
  const difference = live === undefined ? null : compare(live, draft.files, way === 'add')
  const publish = () => {
    setDraft(null)
    const { files, name } = draft
    startDeploy({ scope, client, files, name, target: site, live: live ?? [], way })
  }
  return (
    <div className="flex flex-col gap-5">
      <FileSummary files={draft.files} difference={difference} />
      <ChoiceCards
        legend={t('way')}
        value={way}
        onChange={setWay}
        choices={[
          { value: 'replace', title: t('way_replace'), about: t('way_replace_about') },
          { value: 'add', title: t('way_add'), about: t('way_add_about') },
        ]}
      />
      {way === 'replace' && !hasHome && <p className="text-sm text-warn">{t('no_home')}</p>}
      <p className="text-sm text-muted">
        {t('goes_live', { version: format.number(site.version) })}
      </p>
      <DialogButtons>
        <Button kind="primary" disabled={live === undefined} onClick={publish}>
          {t('publish_version')}
        </Button>
      </DialogButtons>
    </div>
  )
}
