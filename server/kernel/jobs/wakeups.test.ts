/** Tests of wake-ups within one process: listeners and relays. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWakeups, EVERY_TOPIC } from './wakeups.ts'

describe('wake-ups', () => {
  it('call every listener of the topic at each announcement, and no other', () => {
    const wakeups = createWakeups()
    const heard: string[] = []
    wakeups.listen('a', () => heard.push('first of a'))
    wakeups.listen('a', () => heard.push('second of a'))
    wakeups.listen('b', () => heard.push('b'))
    wakeups.announce('a')
    assert.deepEqual(heard, ['first of a', 'second of a'])
    wakeups.announce('b')
    assert.deepEqual(heard.at(-1), 'b')
  })

  it('tell the subject that follows a slash in the topic, and null if there is none', () => {
    const wakeups = createWakeups()
    const subjects: (string | null)[] = []
    wakeups.listen('a', (subject) => subjects.push(subject))
    for (const topic of ['a/one', 'a', 'b/one', EVERY_TOPIC]) wakeups.announce(topic)
    assert.deepEqual(subjects, ['one', null, null])
  })

  it('end for a listener that is removed', () => {
    const wakeups = createWakeups()
    let heard = 0
    const unlisten = wakeups.listen('a', () => (heard += 1))
    unlisten()
    wakeups.announce('a')
    assert.equal(heard, 0)
  })

  it('keep a newer listener when an older one is removed twice', () => {
    const wakeups = createWakeups()
    const unlisten = wakeups.listen('a', () => {})
    unlisten()
    let heard = 0
    wakeups.listen('a', () => (heard += 1))
    unlisten()
    wakeups.announce('a')
    assert.equal(heard, 1)
  })

  it('do not call a listener that is added while others are called', { timeout: 5_000 }, () => {
    const wakeups = createWakeups()
    let heard = 0
    const again = () => {
      heard += 1
      if (heard > 10) return
      unlisten()
      unlisten = wakeups.listen('a', () => again())
    }
    let unlisten = wakeups.listen('a', () => again())
    wakeups.announce('a')
    assert.equal(heard, 1)
  })

  it('call the listeners of all topics when EVERY_TOPIC is announced', () => {
    const wakeups = createWakeups()
    const heard: string[] = []
    for (const topic of ['a', 'b']) wakeups.listen(topic, () => heard.push(topic))
    wakeups.announce(EVERY_TOPIC)
    assert.deepEqual(heard, ['a', 'b'])
  })

  it('go to the relay when announced, and stay in this process when only woken', () => {
    const wakeups = createWakeups()
    const sent: string[] = []
    wakeups.relay((topic) => sent.push(topic))
    wakeups.wake('here')
    wakeups.announce('everywhere')
    assert.deepEqual(sent, ['everywhere'])
  })

  it('refuse a topic that does not fit into a message', () => {
    const wakeups = createWakeups()
    wakeups.announce('x'.repeat(70))
    for (const topic of ['', 'x'.repeat(71), 'two\nlines', 'ä']) {
      assert.throws(() => wakeups.announce(topic), /is no topic/)
    }
  })
})

describe('a relay', () => {
  it('forwards wake-ups of other relays, and sends nothing back', () => {
    const wakeups = createWakeups()
    const sent: string[] = []
    const left = wakeups.relay((topic) => sent.push(`left ${topic}`))
    const right = wakeups.relay((topic) => sent.push(`right ${topic}`))
    wakeups.announce('a')
    left.receive('b')
    right.close()
    left.receive('c')
    wakeups.announce('d')
    assert.deepEqual(sent, ['left a', 'right a', 'right b', 'left d'])
  })
})
