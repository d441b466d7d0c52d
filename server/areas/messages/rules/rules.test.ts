/** Tests of the rules about recipients, senders and replies that opt out. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findDestinationFault } from './destination.ts'
import { findNameFault } from './sender.ts'
import { readStopWord } from '../incoming/receive.ts'

const live = { countries: ['NL', 'DE', 'GB', 'FR', 'BE', 'CU'], test: false }
const fault = (e164: string, rules = live) => findDestinationFault(e164, rules)

describe('a recipient', () => {
  it('is a mobile number in an allowed country', () => {
    for (const e164 of ['+31612345678', '+4915123456789', '+447400123456', '+33612345678']) {
      assert.equal(fault(e164), null, e164)
    }
  })

  it('is not a landline, service or internet number', () => {
    for (const e164 of ['+31201234567', '+31850001234', '+31880001234', '+31900123456']) {
      assert.match(fault(e164) ?? '', /mobile|existing/, e164)
    }
    assert.match(fault('+442071234567') ?? '', /mobile/)
  })

  it('is not a machine-to-machine number', () => {
    assert.match(fault('+3197010281234') ?? '', /machine/)
  })

  it('is not in another country, and never in a sanctioned one', () => {
    assert.match(fault('+12025550123') ?? '', /is in US|existing/)
    assert.match(fault('+34612345678') ?? '', /is in ES/)
    assert.match(fault('+5352123456') ?? '', /is in CU/)
  })

  it('is a fictional number only in test mode, and only of the test range', () => {
    assert.match(fault('+447700900123') ?? '', /test mode/)
    assert.equal(fault('+447700900123', { ...live, test: true }), null)
    for (const e164 of ['+442079460123', '+448081570123', '+441632960123']) {
      for (const test of [true, false]) {
        assert.equal(fault(e164, { ...live, test }), 'is a fictional number', e164)
      }
    }
  })

  it('is a number that can exist', () => {
    for (const e164 of ['+3161', '+31699', '+9991234567']) {
      assert.match(fault(e164) ?? '', /existing/)
    }
  })
})

describe('a sender name', () => {
  it('has 3 to 11 letters, digits and spaces, and begins with a letter', () => {
    for (const name of [
      'Mill',
      'MillBakery',
      'Mill & Co',
      'Shop24_7',
      'A-B',
      'Orange Cafe',
      'Mill Info',
    ]) {
      assert.equal(findNameFault(name), null, name)
    }
    for (const name of ['Mi', 'TwelveLetter', '12345', '4Mills', 'Müller', 'Mill ', 'a<b']) {
      assert(findNameFault(name), name)
    }
  })

  it('is not the name of an institution that frauds imitate', () => {
    for (const name of [
      'Politie',
      'Mijn DigiD',
      'POSTNL',
      'Pay-Pal',
      'ING',
      'MyRabobank',
      'Info',
      'ING Bank',
      'lNG',
      'P0stNL',
      'D1giD 24',
      'Bank-Alert',
    ]) {
      assert.match(findNameFault(name) ?? '', /reserved/, name)
    }
  })
})

describe('a reply', () => {
  it('opts out with a stop word in any case, with punctuation', () => {
    for (const text of [
      'STOP',
      ' stop. ',
      'Stop!',
      'AFMELDEN',
      'Unsubscribe',
      'stop all',
      'Arrêt',
    ]) {
      assert.equal(readStopWord(text), 'stop', text)
    }
  })

  it('opts in again with a start word', () => {
    for (const text of ['START', 'unstop', 'Aanmelden']) assert.equal(readStopWord(text), 'start')
  })

  it('is a message if it says more', () => {
    for (const text of ['Stop by at five?', 'Please do not stop', 'Can I start today?', 'Hello']) {
      assert.equal(readStopWord(text), null, text)
    }
  })
})
