/**
 * The page of test calls: the person writes what the caller says, and reads the course of the call.
 */
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Hash, MessageSquare, PhoneCall, PhoneOff, Plus, Timer, X } from 'lucide-react'
import { useState } from 'react'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { ProjectScopeProvider, useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { CallConversation } from '../calls/call-drawer.tsx'
import { numbersKey, numbersQuery } from '../home/queries.ts'
import { useTestCallTexts } from './texts.ts'

/** Test calls exist in test mode only, whatever the mode of the page. */
export function Page() {
  const t = useTestCallTexts()
  const { project } = useProjectScope()
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <ProjectScopeProvider project={project} mode="test">
        <Body />
      </ProjectScopeProvider>
    </>
  )
}

function Body() {
  const query = useQuery(numbersQuery(useProjectScope()))
  return (
    <QueryState query={query}>
      {(numbers) => {
        const usable = numbers.filter(({ test, status }) => test && status === 'active')
        return usable.length === 0 ? <NoNumber /> : <Phone numbers={usable} />
      }}
    </QueryState>
  )
}

function NoNumber() {
  const t = useTestCallTexts()
  const scope = useProjectScope()
  const order = useAct({
    run: () => orderTestNumber(scope),
    done: t('ordered'),
    refresh: [numbersKey(scope)],
  })
  return (
    <Card flush>
      <EmptyState
        icon={<PhoneCall aria-hidden="true" />}
        title={t('no_number')}
        about={t('no_number_about')}
        sentence={t('sentence')}
        action={
          scope.may('member') && (
            <Button kind="primary" busy={order.isPending} onClick={() => order.mutate(undefined)}>
              {t('order')}
            </Button>
          )
        }
      />
    </Card>
  )
}

function Phone({ numbers }: { numbers: readonly PhoneNumber[] }) {
  const t = useTestCallTexts()
  const scope = useProjectScope()
  const { number: asked } = useSearch({ strict: false })
  const first = numbers.find(({ id }) => id === asked) ?? numbers[0]
  const [number_id, setNumber] = useState(first?.id ?? '')
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const [call_id, setCall] = useState<string | null>(null)
  const act = useAct({
    run: () => runTestCall(scope, { number_id, turns }),
    refresh: [['calls', scope.project_id]],
    onDone: ({ id }) => setCall(id),
  })
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card title={t('caller')} about={t('caller_about')}>
        <div className="flex flex-col gap-5">
          <Field label={t('number')}>
            <Select
              value={number_id}
              onChange={setNumber}
              choices={numbers.map(({ id, e164 }) => ({ value: id, text: e164 }))}
            />
          </Field>
          <Script turns={turns} onChange={setTurns} />
          <div className="flex gap-2 border-t border-line pt-5">
            <Button
              kind="primary"
              busy={act.isPending}
              disabled={turns.length === 0}
              onClick={() => act.mutate(undefined)}
            >
              <PhoneCall aria-hidden="true" />
              {t(call_id === null ? 'call' : 'call_again')}
            </Button>
            {turns.length > 0 && (
              <Button kind="ghost" onClick={() => setTurns([])}>
                {t('clear')}
              </Button>
            )}
          </div>
        </div>
      </Card>
      <Card title={t('result')} flush={call_id === null}>
        {call_id === null ? (
          <EmptyState
            icon={<MessageSquare aria-hidden="true" />}
            title={t('no_call')}
            about={t('no_call_about')}
          />
        ) : (
          <CallConversation id={call_id} />
        )}
      </Card>
    </div>
  )
}

const SILENCE_MS = 8_000

interface ScriptProps {
  turns: readonly Turn[]
  onChange(turns: readonly Turn[]): void
}

/** Edits the steps of the caller, in their order. */
function Script({ turns, onChange }: ScriptProps) {
  const t = useTestCallTexts()
  const [text, setText] = useState('')
  const isKeys = /^[\d*#]+$/.test(text.trim())
  const add = (turn: Turn) => onChange([...turns, turn])
  return (
    <>
      {turns.length > 0 && (
        <ol aria-label={t('steps')} className="flex flex-col gap-2">
          {turns.map((turn, index) => (
            <Step
              key={`${index} ${JSON.stringify(turn)}`}
              turn={turn}
              onRemove={() => onChange(turns.filter((_, other) => other !== index))}
            />
          ))}
        </ol>
      )}
      <form
        className="flex flex-col gap-3"
        onSubmit={submit(() => {
          const said = text.trim()
          if (said === '') return
          add(isKeys ? { digits: said } : { say: said })
          setText('')
        })}
      >
        <Field label={t('say')} hint={t('say_hint')}>
          <Input
            autoComplete="off"
            placeholder={t('say_example')}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" size="sm">
            <Plus aria-hidden="true" />
            {t(isKeys ? 'add_keys' : 'add_say')}
          </Button>
          <Button size="sm" kind="ghost" onClick={() => add({ silence_ms: SILENCE_MS })}>
            <Timer aria-hidden="true" />
            {t('add_silence')}
          </Button>
          <Button size="sm" kind="ghost" onClick={() => add({ hangup: true })}>
            <PhoneOff aria-hidden="true" />
            {t('add_hangup')}
          </Button>
        </div>
      </form>
    </>
  )
}

function Step({ turn, onRemove }: { turn: Turn; onRemove(): void }) {
  const t = useTestCallTexts()
  const { icon: Icon, text } = partsOf(turn, t('silence'), t('hangup'))
  return (
    <li className="flex items-center gap-2.5 rounded-lg border border-line bg-bg py-1 pr-1 pl-3">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <span className="min-w-0 flex-1 wrap-break-word">{text}</span>
      <Button kind="ghost" size="icon" aria-label={t('remove', { text })} onClick={onRemove}>
        <X aria-hidden="true" />
      </Button>
    </li>
  )
}

function partsOf(turn: Turn, silence: string, hangup: string) {
  if ('say' in turn) return { icon: MessageSquare, text: turn.say }
  if ('digits' in turn) return { icon: Hash, text: turn.digits }
  if ('silence_ms' in turn) return { icon: Timer, text: silence }
  return { icon: PhoneOff, text: hangup }
}

type PhoneNumber = Schemas['PhoneNumber']

type Turn = Schemas['CallsSimulateBody']['turns'][number]

interface TestCall {
  number_id: string
  turns: readonly Turn[]
}

/** Runs the whole call, and returns it when it has ended. */
function runTestCall(scope: Scope, { number_id, turns }: TestCall) {
  const params = inProject(scope)
  const body = { number_id, turns: [...turns] }
  return read<Schemas['Call']>(api.POST('/projects/{project_id}/test/calls', { params, body }))
}

function orderTestNumber(scope: Scope) {
  const { path, header } = inProject(scope)
  const params = { path, header: { ...header, 'Idempotency-Key': crypto.randomUUID() } }
  return read<PhoneNumber>(api.POST('/projects/{project_id}/numbers', { params, body: {} }))
}
