/** The part of the project that a key, a member or a connection reaches: all of it, or some sites. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { CheckList } from '../../ui/forms/check-list.tsx'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { Fault } from '../../ui/forms/fault.tsx'
import { appsQuery } from '../apps/queries.ts'
import { sitesQuery } from '../sites/queries.ts'
import { useAccessTexts } from './texts.ts'

/** null: the whole project. */
export type Reach = { sites: string[]; apps: string[] } | null

export interface ReachFieldProps {
  value: Reach
  onChange(value: Reach): void
  fault?: string | undefined
}

/** Renders nothing if the project has no sites and there is no limit. */
export function ReachField({ value, onChange, fault }: ReachFieldProps) {
  const t = useAccessTexts()
  const scope = useProjectScope()
  const { data: sites = [] } = useQuery(sitesQuery(scope))
  const { data: apps = [] } = useQuery(appsQuery(scope))
  const known = new Set(sites.map(({ id }) => id))
  const deleted = value?.sites.filter((id) => !known.has(id)) ?? []
  if (sites.length === 0 && value === null) return null
  return (
    <>
      <ChoiceCards
        legend={t('reach')}
        value={value === null ? 'project' : 'sites'}
        onChange={(kind) => onChange(kind === 'project' ? null : { sites: [], apps: [] })}
        choices={[
          { value: 'project', title: t('whole'), about: t('whole_about') },
          { value: 'sites', title: t('some'), about: t('some_about') },
        ]}
      />
      {value !== null && (
        <CheckList
          legend={t('sites')}
          values={value.sites}
          onChange={(chosen) => onChange({ ...value, sites: chosen })}
          choices={[
            ...sites.map(({ id, title, slug }) => ({ value: id, text: title, hint: slug })),
            ...deleted.map((id) => ({ value: id, text: t('deleted_site') })),
          ]}
        />
      )}
      {value !== null && apps.length > 0 && (
        <CheckList
          legend={t('apps')}
          values={value.apps}
          onChange={(chosen) => onChange({ ...value, apps: chosen })}
          choices={apps.map(({ id, name }) => ({ value: id, text: name }))}
        />
      )}
      <Fault text={fault} />
    </>
  )
}

/** Whether a choice can be sent: a limit names at least one site. */
export function isReach(value: Reach): boolean {
  return value === null || value.sites.length > 0 || value.apps.length > 0
}
