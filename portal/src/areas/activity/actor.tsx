/** Who made a change: an icon of its kind, and the name. */
import { Bot, Cog, KeyRound, ShieldCheck, User, Workflow, type LucideIcon } from 'lucide-react'
import type { ActivityEntry } from './queries.ts'
import { useActivityTexts } from './texts.ts'

type ActivityActor = ActivityEntry['actor']

const icons: Readonly<Record<ActivityActor['kind'], LucideIcon>> = {
  api_key: KeyRound,
  connection: Bot,
  person: User,
  agent: Workflow,
  operator: ShieldCheck,
  system: Cog,
}

export function useActorName(): (actor: ActivityActor) => string {
  const t = useActivityTexts()
  return ({ kind, name }) => {
    if (kind === 'system') return t('system')
    if (kind === 'operator') return name ?? t('the_operator')
    return name ?? t('gone')
  }
}

export function ActorName({ actor }: { actor: ActivityActor }) {
  const nameOf = useActorName()
  return <span className="min-w-0 truncate">{nameOf(actor)}</span>
}

export function ActorIcon({ actor }: { actor: ActivityActor }) {
  const Icon = icons[actor.kind]
  return (
    <span className="grid size-8 shrink-0 place-items-center rounded-full bg-hover text-muted">
      <Icon className="size-4" aria-hidden="true" />
    </span>
  )
}
