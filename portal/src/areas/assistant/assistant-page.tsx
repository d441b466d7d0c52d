/** The assistant that answers the phone: its settings, hours and facts, with a place to try it. */
import { useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { lazy, Suspense, useState, useEffect } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { useTab } from '../../ui/display/use-tab.ts'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { FactsList } from './facts/facts-list.tsx'
import { withFacts } from './facts/pasted.ts'
import { OpeningHours } from './hours/opening-hours.tsx'
import { assistantQuery, type Assistant, type Fact } from './queries.ts'
import { SetUp } from './set-up.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useAssistantTexts } from './texts.ts'
import { useTriedConversation } from './try-out/conversation.ts'
import { TryOut, type TryOutProps } from './try-out/try-out.tsx'
import { useDraft, type DraftState } from './use-draft.ts'

const FactDialog = lazy(async () => ({
  default: (await import('./facts/fact-dialog.tsx')).FactDialog,
}))
const ConflictDialog = lazy(async () => ({
  default: (await import('./conflict-dialog.tsx')).ConflictDialog,
}))

export function Page() {
  const t = useAssistantTexts()
  const query = useQuery(assistantQuery(useProjectScope()))
  return (
    <>
      {query.data === undefined && <title>{t('title')}</title>}
      <QueryState query={query}>
        {(assistant) => (assistant.configured ? <Editor saved={assistant} /> : <SetUp />)}
      </QueryState>
    </>
  )
}

/** A fact whose dialog is open; a new fact has no index. */
interface OpenedFact {
  fact: Fact
  index: number | null
}

function Editor({ saved }: { saved: Assistant }) {
  const t = useAssistantTexts()
  const draft = useDraft(saved)
  const conversation = useTriedConversation()
  const [tries, setTries] = useState(false)
  const [opened, setOpened] = useState<OpenedFact | null>(null)
  const addFact = (question: string) => setOpened({ fact: { question, answer: '' }, index: null })
  const tried: TryOutProps = { conversation, isDraft: draft.isChanged, onAddFact: addFact }
  const facts = draft.settings.facts
  const keepFact = (fact: Fact) => {
    const index = opened?.index ?? null
    draft.change({ facts: index === null ? withFacts(facts, [fact]) : facts.with(index, fact) })
    setOpened(null)
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={
          <span className="xl:hidden">
            <Button onClick={() => setTries(true)}>
              <MessagesSquare aria-hidden="true" />
              {t('try')}
            </Button>
          </span>
        }
      />
      <div className="grid items-start gap-6 xl:grid-cols-[1fr_22rem]">
        <div className="min-w-0">
          <EditorTabs
            draft={draft}
            onOpenFact={(index) => {
              const fact = index === null ? { question: '', answer: '' } : facts[index]
              if (fact !== undefined) setOpened({ fact, index })
            }}
          />
          <SaveBar draft={draft} />
        </div>
        <TryOutPanel {...tried} />
      </div>
      <TryOutDrawer open={tries} onOpenChange={setTries} tried={tried} />
      <Suspense fallback={null}>
        {opened !== null && (
          <FactDialog
            fact={opened.fact}
            isNew={opened.index === null}
            onClose={() => setOpened(null)}
            onSave={keepFact}
          />
        )}
        {draft.theirs !== null && <ConflictDialog state={draft} theirs={draft.theirs} />}
      </Suspense>
      <UnsavedGuard active={draft.isChanged} />
    </>
  )
}

/** The conversation that tries the assistant out. On wide screens it is beside the editor. */
function TryOutPanel(tried: TryOutProps) {
  const t = useAssistantTexts()
  return (
    <section
      aria-labelledby="try-title"
      className="sticky top-[calc(var(--band)+4.5rem)] flex h-[calc(100dvh-var(--band)-6.5rem)] flex-col rounded-xl border border-line bg-surface shadow-card max-xl:hidden"
    >
      <h2
        id="try-title"
        className="border-b border-line px-5 py-3.5 text-lg font-semibold tracking-tight"
      >
        {t('try')}
      </h2>
      <TryOut {...tried} />
    </section>
  )
}

interface TryOutDrawerProps {
  open: boolean
  onOpenChange(open: boolean): void
  tried: TryOutProps
}

function TryOutDrawer({ open, onOpenChange, tried }: TryOutDrawerProps) {
  const t = useAssistantTexts()
  return (
    <Drawer open={open} onClose={() => onOpenChange(false)} title={t('try')}>
      <div className="flex h-full flex-col">
        <TryOut {...tried} />
      </div>
    </Drawer>
  )
}

const tabNames = ['settings', 'hours', 'facts'] as const

interface EditorTabsProps {
  draft: DraftState
  onOpenFact(index: number | null): void
}

function EditorTabs({ draft, onOpenFact }: EditorTabsProps) {
  const t = useAssistantTexts()
  const [tab, setTab] = useTab(tabNames)
  const { settings, change, faultOf, base } = draft
  const parts = { settings, faultOf, onChange: change }
  return (
    <Tabs
      label={t('title')}
      value={tab}
      onChange={setTab}
      tabs={[
        {
          value: 'settings',
          title: t('tab_settings'),
          body: <SettingsForm {...parts} base={base} />,
        },
        { value: 'hours', title: t('tab_hours'), body: <OpeningHours {...parts} /> },
        {
          value: 'facts',
          title: t('tab_facts'),
          count: settings.facts.length,
          body: (
            <FactsList
              facts={settings.facts}
              onChange={(facts) => change({ facts })}
              onOpen={onOpenFact}
            />
          ),
        },
      ]}
    />
  )
}

/** Appears at the foot of the page while there are unsaved changes. */
function SaveBar({ draft }: { draft: DraftState }) {
  const t = useAssistantTexts()
  const { isChanged, isSaving, problem, save, discard } = draft
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      if (isChanged && !isSaving) save()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [isChanged, isSaving, save])
  if (!isChanged) return null
  const faults = problem?.faults.length ?? 0
  return (
    <div
      role="region"
      aria-label={t('unsaved')}
      className="sticky bottom-4 z-20 mt-6 flex flex-wrap items-center gap-3 rounded-xl bg-raised px-4 py-3 shadow-pop"
    >
      <p className="min-w-40 flex-1 text-sm">
        <span className="font-medium">{t('unsaved')}</span>
        {faults > 0 && <span className="block text-bad">{t('faults', { count: faults })}</span>}
      </p>
      <Button kind="ghost" disabled={isSaving} onClick={discard}>
        {t('discard')}
      </Button>
      <Button kind="primary" busy={isSaving} onClick={save}>
        {t('save')}
      </Button>
    </div>
  )
}
