/** One act of an operator: from where, with which input, and what it changed. */
import { useFormat } from '../../language/format.ts'
import { Facts } from '../../ui/display/facts.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import { useChangeName } from '../activity/change-name.tsx'
import type { Act } from './queries.ts'
import { useOperatorTexts } from './texts.ts'

export function ActDrawer({ act, onClose }: { act: Act | null; onClose(): void }) {
  const changeName = useChangeName()
  return (
    <RecordDrawer record={act} onClose={onClose} title={({ operation }) => changeName(operation)}>
      {(act) => (
        <>
          <ActFacts act={act} />
          <Changes act={act} />
        </>
      )}
    </RecordDrawer>
  )
}

function ActFacts({ act }: { act: Act }) {
  const t = useOperatorTexts()
  const format = useFormat()
  const input = Object.entries(act.input ?? {}).filter(([name]) => !/^(reason|note)$/.test(name))
  return (
    <Facts
      facts={[
        [t('when'), format.moment(act.created_at)],
        [t('by'), act.operator ?? t('command_line')],
        [t('from_where'), act.address ?? '–'],
        [t('project'), act.project_name ?? t('installation')],
        [t('act'), <Code key="act" text={act.operation} />],
        ...(act.note === null ? [] : [[t('reason'), act.note] as const]),
        ...(act.error === null
          ? []
          : [[t('error'), <Code key="error" text={act.error} />] as const]),
        ...input.map(([name, value]) => [name, <Code key={name} text={textOf(value)} />] as const),
      ]}
    />
  )
}

function Changes({ act: { before, after } }: { act: Act }) {
  const t = useOperatorTexts()
  const changes = Object.entries(after ?? {})
  if (changes.length === 0) return <p className="text-muted">{t('no_changes')}</p>
  return (
    <section>
      <h3 className="mb-3 font-semibold">{t('changes')}</h3>
      <ul className="flex flex-col gap-3">
        {changes.map(([name, value]) => (
          <li key={name} className="rounded-lg border border-line p-3">
            <span className="block text-sm text-muted">{name}</span>
            <del className="block break-words text-bad">{textOf(before?.[name])}</del>
            <ins className="block break-words text-good no-underline">{textOf(value)}</ins>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Code({ text }: { text: string }) {
  return <code className="font-mono text-sm break-all">{text}</code>
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
