/** The name and the avatar of a visitor in the inbox. */
import { cx } from '../../ui/class-names.ts'
import type { Conversation } from './queries.ts'
import { useInboxTexts } from './texts.ts'

const ID_CHARACTERS = 4

/** The name of the visitor, else what else is known; unnamed visitors differ by the end of the id. */
export function useVisitorName(): (of: Pick<Conversation, 'id' | 'visitor'>) => string {
  const t = useInboxTexts()
  return ({ id, visitor: { name, email, phone, external_id } }) =>
    name ?? email ?? phone ?? external_id ?? `${t('visitor')} ${id.slice(-ID_CHARACTERS)}`
}

const tints = [
  'bg-accent-soft text-accent',
  'bg-info-soft text-info',
  'bg-good-soft text-good',
  'bg-warn-soft text-warn',
] as const

export function Avatar({ name, id }: { name: string; id: string }) {
  const tint = tints[Number.parseInt(id.slice(-2), 16) % tints.length]
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid size-9 shrink-0 place-items-center rounded-full text-sm font-semibold',
        tint,
      )}
    >
      {initialsOf(name)}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}\D*$/u.test(word))
  const [first = name, last] = words.length > 1 ? [words[0], words.at(-1)] : words
  return (first.slice(0, 1) + (last?.slice(0, 1) ?? '')).toUpperCase()
}
