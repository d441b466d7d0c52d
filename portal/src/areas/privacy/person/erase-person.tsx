/** Erases the records about one person, after their number, address or id is typed again. */
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ConfirmedAct } from '../../../api/confirmed-act.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { say } from '../../../ui/overlays/toast.tsx'
import { usePhoneCountry } from '../../company/use-phone-country.ts'
import { erasePerson, toPerson, type FoundKind } from './queries.ts'
import { usePersonTexts } from './texts.ts'

export interface ErasePersonProps {
  typed: string
  kinds: readonly FoundKind[]
  onErased(): void
}

export function ErasePerson({ typed, kinds, onErased }: ErasePersonProps) {
  const t = usePersonTexts()
  const scope = useProjectScope()
  const country = usePhoneCountry()
  const [mentions, setMentions] = useState(false)
  const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0)
  const own = sum(kinds.map((kind) => kind.own))
  const mentioned = sum(kinds.map((kind) => kind.mentions))
  return (
    <ConfirmedAct
      title={t('erase_title')}
      about={
        <>
          {t('erase_about', { count: own + (mentions ? mentioned : 0) })}
          {mentioned > 0 && (
            <label className="mt-3 flex cursor-pointer items-start gap-2.5">
              <input
                type="checkbox"
                checked={mentions}
                onChange={() => setMentions(!mentions)}
                className="mt-0.5 size-4 shrink-0 accent-(--accent)"
              />
              <span>{t('with_mentions')}</span>
            </label>
          )}
        </>
      }
      typed={{ text: typed, label: t('erase_typed') }}
      text={t('erase')}
      run={() => erasePerson(scope, { ...toPerson(typed, country), mentions })}
      refresh={['calls', 'messages', 'conversations', 'documents', 'unanswered'].map((name) => [
        name,
      ])}
      onDone={(report) => {
        say(t('erased', { count: sum(report.kinds.map(({ erased }) => erased)) }))
        onErased()
      }}
      button={(ask) => (
        <Button kind="danger" disabled={own + mentioned === 0} onClick={ask}>
          <Trash2 aria-hidden="true" />
          {t('erase')}
        </Button>
      )}
    />
  )
}
