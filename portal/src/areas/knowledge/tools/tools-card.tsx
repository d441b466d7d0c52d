/** The collections that the assistant may look up, and the one for messages. */
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { collectionsQuery } from '../../data/queries.ts'
import { saveTools, toolsKey, toolsQuery, type LookUp, type Tools } from './queries.ts'
import { useToolTexts } from './texts.ts'

const LookUpDialog = lazy(async () => ({
  default: (await import('./look-up-dialog.tsx')).LookUpDialog,
}))

export function ToolsCard() {
  const t = useToolTexts()
  const query = useQuery(toolsQuery(useProjectScope()))
  return (
    <Card title={t('title')} about={t('about')}>
      <QueryState query={query}>{(tools) => <Settings tools={tools} />}</QueryState>
    </Card>
  )
}

function Settings({ tools }: { tools: Tools }) {
  const t = useToolTexts()
  const [opened, setOpened] = useState<LookUp | 'new' | null>(null)
  const { look_ups } = tools
  return (
    <div className="flex flex-col gap-4">
      {look_ups.length === 0 ? (
        <p className="text-sm text-muted">{t('none')}</p>
      ) : (
        <ul aria-label={t('title')} className="divide-y divide-line">
          {look_ups.map((one) => (
            <LookUpRow
              key={one.collection}
              look_up={one}
              tools={tools}
              onEdit={() => setOpened(one)}
            />
          ))}
        </ul>
      )}
      <span>
        <Button onClick={() => setOpened('new')}>
          <Plus aria-hidden="true" />
          {t('allow')}
        </Button>
      </span>
      <MessagesField tools={tools} />
      <UsedToday tools={tools} />
      <Suspense fallback={null}>
        {opened !== null && (
          <LookUpDialog
            tools={tools}
            look_up={opened === 'new' ? null : opened}
            onClose={() => setOpened(null)}
          />
        )}
      </Suspense>
    </div>
  )
}

interface LookUpRowProps {
  look_up: LookUp
  tools: Tools
  onEdit(): void
}

function LookUpRow({ look_up, tools, onEdit }: LookUpRowProps) {
  const t = useToolTexts()
  const scope = useProjectScope()
  const { collection: name, fields, match = [] } = look_up
  const remove = useAct({
    run: () =>
      saveTools(scope, { ...tools, look_ups: tools.look_ups.filter((one) => one !== look_up) }),
    done: t('removed', { name }),
    refresh: [toolsKey(scope)],
  })
  return (
    <li className="flex items-start gap-2 py-2.5">
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted wrap-anywhere">{fields.join(', ')}</p>
        {match.length > 0 && (
          <p className="text-muted wrap-anywhere">{t('match_of', { names: match.join(', ') })}</p>
        )}
      </div>
      <Button kind="ghost" size="icon" aria-label={t('change', { name })} onClick={onEdit}>
        <Pencil aria-hidden="true" />
      </Button>
      <Button
        kind="ghost"
        size="icon"
        aria-label={t('remove', { name })}
        busy={remove.isPending}
        onClick={() => remove.mutate(undefined)}
      >
        <X aria-hidden="true" />
      </Button>
    </li>
  )
}

const NONE = ''

function MessagesField({ tools }: { tools: Tools }) {
  const t = useToolTexts()
  const scope = useProjectScope()
  const { data: collections = [] } = useQuery(collectionsQuery(scope))
  const act = useAct({
    run: (name: string) =>
      saveTools(scope, { ...tools, messages_collection: name === NONE ? null : name }),
    done: t('saved'),
    refresh: [toolsKey(scope)],
  })
  return (
    <Field label={t('messages')}>
      <Select
        value={tools.messages_collection ?? NONE}
        onChange={(name) => act.mutate(name)}
        choices={[
          { value: NONE, text: t('no_collection') },
          ...collections.map(({ name }) => ({ value: name, text: name })),
        ]}
      />
    </Field>
  )
}

function UsedToday({ tools: { tools } }: { tools: Tools }) {
  const t = useToolTexts()
  const format = useFormat()
  const look_up = tools.find(({ name }) => name === 'look_up')
  if (look_up?.enabled !== true) return null
  const max = format.number(look_up.per_day ?? 0)
  return (
    <p className="text-sm text-muted">
      {t('used', { used: format.number(look_up.used_today), max })}
    </p>
  )
}
