/** The details of one call: its summary, and its transcript as a conversation. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Loaded } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { translateMessage } from '../../language/server-texts/translate.ts'
import { useLanguage } from '../../language/texts.ts'
import { Conversation } from '../../ui/display/conversation.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import { DeleteCall, DeleteCallSummary } from './delete-call.tsx'
import { isRunning, RunningCall } from './outbound/running-call.tsx'
import { callQuery, personOf, type CallDetail } from './queries.ts'
import { useCallTexts } from './texts.ts'

export interface CallDrawerProps {
  /** null while no call is open. */
  id: string | null
  onClose(): void
}

export function CallDrawer({ id, onClose }: CallDrawerProps) {
  const t = useCallTexts()
  const { data: call } = useQuery({
    ...callQuery(useProjectScope(), id ?? ''),
    enabled: id !== null,
  })
  return (
    <RecordDrawer
      record={id}
      onClose={onClose}
      title={() => `${t('call')} ${call === undefined ? '' : personOf(call)}`}
    >
      {(id) => (
        <>
          <CallConversation id={id} />
          {call !== undefined && !isRunning(call.status) && (
            <DeleteCall key={id} id={id} onDone={onClose} />
          )}
        </>
      )}
    </RecordDrawer>
  )
}

/** Shows the facts, the summary and the transcript of a call. */
export function CallConversation({ id }: { id: string }) {
  const scope = useProjectScope()
  return (
    <Loaded query={callQuery(scope, id)}>
      {(call) => (
        <div className="flex flex-col gap-7">
          {isRunning(call.status) && (
            <RunningCall id={call.id} status={call.status} test={call.test} />
          )}
          <CallFacts call={call} />
          <Summary call={call} />
          <Transcript call={call} />
        </div>
      )}
    </Loaded>
  )
}

function nameOfLanguage(tag: string, language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? tag
}

function CallFacts({ call }: { call: CallDetail }) {
  const t = useCallTexts()
  const format = useFormat()
  const language = useLanguage()
  const costOf = (euro: number) => (euro === 0 ? t('free') : format.cost(euro))
  return (
    <Facts
      facts={[
        [t('when'), format.moment(call.started_at)],
        [t('number'), call.direction === 'inbound' ? call.to : call.from],
        ...(call.instructions === null ? [] : [[t('task'), call.instructions] as const]),
        [t('outcome'), t(call.status)],
        [t('language'), call.language === null ? '–' : nameOfLanguage(call.language, language)],
        // A call is charged when it has ended.
        ...(isRunning(call.status) ? [] : [[t('cost'), costOf(call.cost_eur)] as const]),
      ]}
    />
  )
}

function Summary({ call: { id, summary, messages } }: { call: CallDetail }) {
  const t = useCallTexts()
  return (
    <>
      {summary !== null && (
        <section className="rounded-xl border border-line bg-accent-soft p-4">
          <h3 className="font-semibold">{t('summary')}</h3>
          <p className="mt-1">{summary.text}</p>
          {summary.action_items.length > 0 && (
            <>
              <h4 className="mt-3 text-sm font-medium">{t('todo')}</h4>
              <ul className="list-disc pl-5">
                {summary.action_items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            </>
          )}
          <DeleteCallSummary id={id} />
        </section>
      )}
      {messages.length > 0 && (
        <section>
          <h3 className="font-semibold">{t('messages')}</h3>
          <ul className="mt-2 flex flex-col gap-2">
            {messages.map(({ id, kind, text }) => (
              <li key={id} className="border-l-2 border-accent pl-3">
                {kind === 'voicemail' && <p className="text-sm text-muted">{t('voicemail')}</p>}
                {text}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const sides = { caller: 'right', assistant: 'left', system: 'note' } as const

function Transcript({ call: { transcript } }: { call: CallDetail }) {
  const t = useCallTexts()
  const language = useLanguage()
  return (
    <section>
      <h3 className="mb-3 font-semibold">{t('transcript')}</h3>
      {transcript.length === 0 && <p className="text-muted">{t('no_transcript')}</p>}
      <Conversation
        utterances={transcript.map(({ role, text, at }, index) => ({
          key: `${at} ${index}`,
          side: sides[role],
          speaker: t(role),
          text: role === 'system' ? translateMessage(text, language) : text,
        }))}
      />
    </section>
  )
}
