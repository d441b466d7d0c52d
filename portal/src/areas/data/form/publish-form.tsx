/** Publishes the form as a page of a site of the project. */
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { ProblemState } from '../../../api/query-state.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useLanguage } from '../../../language/texts.ts'
import { Button, ButtonAnchor } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { PublicRefusal, useCannotBePublic } from '../../sites/publish-public.tsx'
import { sitesKey, sitesQuery } from '../../sites/queries.ts'
import { collectionKey, type Collection } from '../queries.ts'
import type { FormDraft } from './form-fields.ts'
import { pageHtml } from './form-html.ts'
import { publishPage } from './form-requests.ts'
import { useFormTexts } from './texts.ts'

const NEW = '@new'

export interface FormTargetProps {
  collection: Collection
  draft: FormDraft
}

interface Target {
  site_id: string
  slug: string
  visibility: 'public' | 'unlisted'
  path: string
}

export function PublishForm({ collection, draft }: FormTargetProps) {
  const t = useFormTexts()
  const scope = useProjectScope()
  const language = useLanguage()
  const [target, setTarget] = useState<Target>({
    site_id: NEW,
    slug: `${collection.name}-form`.replaceAll('_', '-').slice(0, 48),
    visibility: 'unlisted',
    path: `${collection.name}.html`,
  })
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [address, setAddress] = useState<string | null>(null)
  const isNew = target.site_id === NEW
  const isRefused = useCannotBePublic() && isNew && target.visibility === 'public'
  const publish = useAct({
    run: () =>
      publishPage(scope, collection, {
        ...target,
        site_id: isNew ? null : target.site_id,
        path: isNew ? 'index.html' : target.path,
        title: draft.heading,
        content: pageHtml(draft, {
          origin: location.origin,
          collection: collection.name,
          token: null,
          language,
        }),
      }),
    done: t('published'),
    refresh: [collectionKey(scope, collection.name), sitesKey(scope)],
    onDone({ url }) {
      setProblem(null)
      setAddress(isNew ? url : new URL(target.path, url).href)
    },
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  return (
    <Card title={t('publish')} about={t('publish_about')}>
      <div className="flex flex-col gap-4">
        <TargetFields target={target} onChange={setTarget} />
        {isRefused && (
          <PublicRefusal onUnlisted={() => setTarget({ ...target, visibility: 'unlisted' })} />
        )}
        {problem !== null && <ProblemState error={problem} />}
        {!collection.public_write && <p className="text-sm text-muted">{t('opens')}</p>}
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            busy={publish.isPending}
            disabled={isRefused}
            onClick={() => publish.mutate(undefined)}
          >
            {t('publish_button')}
          </Button>
          {address !== null && (
            <ButtonAnchor href={address} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden="true" />
              {t('open_page')}
            </ButtonAnchor>
          )}
        </div>
      </div>
    </Card>
  )
}

interface TargetFieldsProps {
  target: Target
  onChange(target: Target): void
}

function TargetFields({ target, onChange }: TargetFieldsProps) {
  const t = useFormTexts()
  const { data: sites = [] } = useQuery(sitesQuery(useProjectScope()))
  const { site_id, slug, visibility, path } = target
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('target')}>
        <Select
          value={site_id}
          onChange={(next) => onChange({ ...target, site_id: next })}
          choices={[
            { value: NEW, text: t('new_site') },
            ...sites
              .filter(({ status }) => status === 'live')
              .map(({ id, title }) => ({ value: id, text: title })),
          ]}
        />
      </Field>
      {site_id === NEW ? (
        <>
          <Field label={t('visibility')}>
            <Select
              value={visibility}
              onChange={(next) => onChange({ ...target, visibility: next })}
              choices={[
                { value: 'unlisted', text: t('unlisted') },
                { value: 'public', text: t('public') },
              ]}
            />
          </Field>
          <Field label={t('address')} hint={t('address_hint')}>
            <Input
              autoComplete="off"
              value={slug}
              onChange={({ target: input }) => onChange({ ...target, slug: input.value })}
            />
          </Field>
        </>
      ) : (
        <Field label={t('path')}>
          <Input
            autoComplete="off"
            value={path}
            onChange={({ target: input }) => onChange({ ...target, path: input.value })}
          />
        </Field>
      )}
    </div>
  )
}
