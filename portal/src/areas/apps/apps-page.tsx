/** The apps of the project, and the dialog that creates one. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus, SquareTerminal } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { ListTable } from '../../api/list-table.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { sitesQuery } from '../sites/queries.ts'
import { appsKey, appsQuery, createApp, type App } from './queries.ts'
import { useAppTexts } from './texts.ts'

export function Page() {
  const t = useAppTexts()
  const scope = useProjectScope()
  const query = useQuery(appsQuery(scope))
  const [creates, setCreates] = useState(false)
  const create = scope.may('admin') && (
    <Button kind="primary" onClick={() => setCreates(true)}>
      <Plus aria-hidden="true" />
      {t('create')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={query.data?.length !== 0 && create}
      />
      <Card flush>
        <ListTable
          query={query}
          label={t('title')}
          columns={useColumns()}
          icon={<SquareTerminal aria-hidden="true" />}
          empty={{
            title: t('empty'),
            about: t('empty_about'),
            sentence: t('sentence'),
            action: create,
          }}
        />
      </Card>
      <Dialog
        open={creates}
        onClose={() => setCreates(false)}
        title={t('create')}
        about={t('create_about')}
      >
        <CreateForm onClose={() => setCreates(false)} />
      </Dialog>
    </>
  )
}

function useColumns(): Column<App>[] {
  const t = useAppTexts()
  const scope = useProjectScope()
  return [
    {
      id: 'name',
      title: t('name'),
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link
          to={scope.link(`/apps/${id}`)}
          className="font-medium wrap-anywhere text-fg no-underline hover:text-accent"
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'address',
      title: t('address'),
      from: 'md',
      cell: ({ url }) => <span className="wrap-anywhere text-muted">{url}</span>,
    },
    {
      id: 'deployed',
      title: t('deployed'),
      align: 'right',
      sortBy: ({ deployed_at }) => deployed_at ?? '',
      cell: ({ deployed_at }) =>
        deployed_at === null ? t('not_deployed') : <Moment at={deployed_at} />,
    },
  ]
}

const starter = `export default {
  async fetch(request, env) {
    return Response.json({ hello: new URL(request.url).pathname })
  },
}
`

function CreateForm({ onClose }: { onClose(): void }) {
  const t = useAppTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const sites = useQuery(sitesQuery(scope))
  const apps = useQuery(appsQuery(scope))
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const taken = new Set(apps.data?.map(({ site_id }) => site_id))
  const free = sites.data?.filter(({ id }) => !taken.has(id)) ?? []
  const site_id = chosen ?? free[0]?.id
  const act = useAct({
    run: () => {
      const modules = [{ path: 'main.js', text: starter }]
      return createApp(scope, { site_id: site_id ?? '', name: name.trim(), modules })
    },
    done: t('made'),
    refresh: [appsKey(scope)],
    onDone: ({ id }) => void navigate({ to: scope.link(`/apps/${id}`) }),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    act.mutate(undefined)
  }
  if (sites.data && free.length === 0) return <p>{t('no_site')}</p>
  return (
    <form onSubmit={send} className="flex flex-col gap-4">
      <Field label={t('name')}>
        <Input
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Select
        label={t('site')}
        value={site_id ?? ''}
        onChange={setChosen}
        choices={free.map(({ id, title }) => ({ value: id, text: title }))}
      />
      <DialogButtons>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('create')}
        </Button>
      </DialogButtons>
    </form>
  )
}
