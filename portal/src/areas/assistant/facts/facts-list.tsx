/** The list of facts: questions of callers with their answers. */
import { ClipboardPaste, MessageCircleQuestion, Pencil, Plus, Search, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { FACTS_MAX, type Fact } from '../queries.ts'
import { useFactTexts } from './texts.ts'

const PasteDialog = lazy(async () => ({
  default: (await import('./paste-dialog.tsx')).PasteDialog,
}))

export interface FactsListProps {
  facts: readonly Fact[]
  onChange(facts: Fact[]): void
  /** Opens the dialog of the fact with this index; null opens it for a new fact. */
  onOpen(index: number | null): void
}

export function FactsList({ facts, onChange, onOpen }: FactsListProps) {
  const t = useFactTexts()
  const [pastes, setPastes] = useState(false)
  const isFull = facts.length >= FACTS_MAX
  const actions = (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" disabled={isFull} onClick={() => setPastes(true)}>
        <ClipboardPaste aria-hidden="true" />
        {t('paste')}
      </Button>
      <Button size="sm" kind="primary" disabled={isFull} onClick={() => onOpen(null)}>
        <Plus aria-hidden="true" />
        {t('add')}
      </Button>
    </div>
  )
  return (
    <>
      <Card
        flush
        title={t('title')}
        about={t('about', { count: facts.length, max: FACTS_MAX })}
        aside={facts.length > 0 && actions}
      >
        {facts.length === 0 ? (
          <EmptyState
            icon={<MessageCircleQuestion aria-hidden="true" />}
            title={t('empty')}
            about={t('empty_about')}
            sentence={t('sentence')}
            action={actions}
          />
        ) : (
          <Found facts={facts} onChange={onChange} onOpen={onOpen} />
        )}
      </Card>
      {pastes && (
        <Suspense fallback={null}>
          <PasteDialog
            facts={facts}
            onClose={() => setPastes(false)}
            onAdd={(next) => {
              setPastes(false)
              onChange(next)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function Found({ facts, onChange, onOpen }: FactsListProps) {
  const t = useFactTexts()
  const [search, setSearch] = useState('')
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = facts
    .map((fact, index) => ({ ...fact, index }))
    .filter(({ question, answer }) => {
      const text = `${question} ${answer}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
  return (
    <>
      <div className="relative mx-5 mb-3">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint"
        />
        <Input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          className="pl-9!"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      {found.length === 0 && <p className="px-5 pb-5 text-muted">{t('none_found')}</p>}
      <ul className="divide-y divide-line border-t border-line">
        {found.map(({ question, answer, index }) => (
          <li key={`${index} ${question}`} className="flex items-start gap-2 py-3 pr-3 pl-5">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{question}</p>
              <p className="mt-0.5 text-muted">{answer}</p>
            </div>
            <Button
              kind="ghost"
              size="icon"
              aria-label={t('edit_fact', { question })}
              onClick={() => onOpen(index)}
            >
              <Pencil aria-hidden="true" />
            </Button>
            <Button
              kind="ghost"
              size="icon"
              aria-label={t('delete_fact', { question })}
              onClick={() => onChange(facts.toSpliced(index, 1))}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
