/** The fields of one kind of source. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input, Textarea } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { collectionsQuery } from '../../data/queries.ts'
import { sitesQuery } from '../../sites/queries.ts'
import { useKnowledgeTexts } from '../texts.ts'
import type { SourceDraft } from './draft.ts'
import { MediaField } from './media-field.tsx'

const URL_MAX = 1_000
const TITLE_MAX = 200
const TEXT_MAX = 100_000

export interface KindFieldsProps {
  draft: SourceDraft
  onChange(part: Partial<SourceDraft>): void
  fault: string | undefined
}

export function KindFields(props: KindFieldsProps) {
  switch (props.draft.kind) {
    case 'website':
      return <WebsiteField {...props} />
    case 'text':
      return <TextFields {...props} />
    case 'site':
      return <SiteField {...props} />
    case 'collection':
      return <CollectionField {...props} />
    case 'media':
      return <MediaField {...props} />
  }
}

function WebsiteField({ draft: { url }, onChange, fault }: KindFieldsProps) {
  const t = useKnowledgeTexts()
  return (
    <Field label={t('url')} hint={t('url_hint')} fault={fault}>
      <Input
        type="url"
        inputMode="url"
        autoComplete="url"
        maxLength={URL_MAX}
        placeholder="https://www.bakery.example"
        value={url}
        onChange={({ target }) => onChange({ url: target.value })}
      />
    </Field>
  )
}

function TextFields({ draft: { title, text }, onChange, fault }: KindFieldsProps) {
  const t = useKnowledgeTexts()
  return (
    <>
      <Field label={t('text_title')} fault={title.trim() === '' ? fault : undefined}>
        <Input
          autoComplete="off"
          maxLength={TITLE_MAX}
          placeholder={t('text_title_example')}
          value={title}
          onChange={({ target }) => onChange({ title: target.value })}
        />
      </Field>
      <Field
        label={t('text_body')}
        hint={t('text_body_hint')}
        fault={title.trim() === '' ? undefined : fault}
      >
        <Textarea
          rows={8}
          maxLength={TEXT_MAX}
          value={text}
          onChange={({ target }) => onChange({ text: target.value })}
        />
      </Field>
    </>
  )
}

function SiteField({ draft: { site_id }, onChange, fault }: KindFieldsProps) {
  const t = useKnowledgeTexts()
  const query = useQuery(sitesQuery(useProjectScope()))
  return (
    <QueryState query={query}>
      {(sites) =>
        sites.length === 0 ? (
          <p className="text-muted">{t('no_sites')}</p>
        ) : (
          <Field label={t('pick_site')} fault={fault}>
            <Select
              value={site_id}
              onChange={(id) => onChange({ site_id: id })}
              choices={[
                { value: '', text: t('choose') },
                ...sites.map(({ id, slug, title }) => ({ value: id, text: title || slug })),
              ]}
            />
          </Field>
        )
      }
    </QueryState>
  )
}

function CollectionField({ draft: { collection }, onChange, fault }: KindFieldsProps) {
  const t = useKnowledgeTexts()
  const query = useQuery(collectionsQuery(useProjectScope()))
  return (
    <QueryState query={query}>
      {(collections) => {
        const free = collections.filter(({ assistant_facts }) => !assistant_facts)
        if (free.length === 0) return <p className="text-muted">{t('no_collections')}</p>
        return (
          <Field label={t('pick_collection')} hint={t('collection_hint')} fault={fault}>
            <Select
              value={collection}
              onChange={(name) => onChange({ collection: name })}
              choices={[
                { value: '', text: t('choose') },
                ...free.map(({ name }) => ({ value: name, text: name })),
              ]}
            />
          </Field>
        )
      }}
    </QueryState>
  )
}
