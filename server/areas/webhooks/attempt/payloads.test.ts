/** Tests of payloads of concurrent deliveries: loaded by one query or one by one. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Type } from 'typebox'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import {
  Dropped,
  event,
  type EventSource,
  type SubjectInProject,
} from '../../../contract/events.ts'
import { mapSources } from './payloads.ts'

const { runtime } = await openTestRuntime({ work: false })
type Named = { name: string }

/** Creates a source that records its subjects and fails for the subject `bad`. */
function watched() {
  const asked: string[][] = []
  const build = (name: string) => {
    if (name === 'bad') throw new Error('A bug in building this payload.')
    return name === 'gone' ? new Dropped('call_deleted') : { name }
  }
  const source = event({
    type: 'call.completed',
    data: Type.Object({ name: Type.String() }),
    async load(_db, _project_id, { name }: Named) {
      asked.push([name])
      return build(name)
    },
    async loadMany(_db, wanted: readonly SubjectInProject<Named>[]) {
      asked.push(wanted.map(({ subject }) => subject.name))
      return wanted.map(({ subject }) => build(subject.name))
    },
  })
  return { asked, source }
}

function load(sources: ReadonlyMap<string, EventSource>, name: string) {
  const source = sources.get('call.completed')
  assert(source)
  return source.load(runtime.db, 'a project', { name })
}

suite('payloads', () => {
  test('are loaded in one batch, each with its own data', async () => {
    const { asked, source } = watched()
    const sources = mapSources(runtime, [source])
    const [one, gone, two] = await Promise.all(['one', 'gone', 'two'].map((n) => load(sources, n)))
    assert.deepEqual([one, two], [{ name: 'one' }, { name: 'two' }])
    assert.ok(gone instanceof Dropped)
    assert.deepEqual(asked, [['one', 'gone', 'two']])
  })

  test('fail one by one, without affecting the others', async () => {
    const { asked, source } = watched()
    const sources = mapSources(runtime, [source])
    const loads = await Promise.allSettled(['one', 'bad', 'two'].map((n) => load(sources, n)))
    assert.deepEqual(
      loads.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(asked, [['one', 'bad', 'two'], ['one'], ['bad'], ['two']])
  })

  test('are loaded one by one from a source without a batch loader', () => {
    const { source } = watched()
    const { loadMany: _, ...single } = source
    assert.equal(mapSources(runtime, [single]).get('call.completed'), single)
  })
})
