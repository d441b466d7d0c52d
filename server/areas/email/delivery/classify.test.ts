/** Tests of the reading of refusals of mail servers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { classify, readPause, RETRY_S } from './classify.ts'

describe('a refusal', () => {
  test('is classified by its text before its code', () => {
    const cases: readonly [number, string, string, boolean, boolean][] = [
      [550, '550 5.1.1 <a@b.example> User unknown', 'mailbox_unknown', false, true],
      [550, '550 No such user here', 'mailbox_unknown', false, true],
      [
        550,
        '550 5.0.0 Requested action not taken: mailbox unavailable',
        'mailbox_unknown',
        false,
        true,
      ],
      [552, '552 5.2.2 Mailbox full', 'mailbox_full', false, false],
      [552, '552 5.0.0 over quota', 'mailbox_full', false, false],
      [451, '451 4.7.1 Greylisting in action, please come back later', 'greylisted', true, false],
      [550, '550 5.7.1 Greylisted, try again in 300 seconds', 'greylisted', true, false],
      [421, '421 4.7.0 Too many connections, slow down', 'rate_limited', true, false],
      [550, '550 5.7.1 Listed by Spamhaus', 'sender_blocked', false, false],
      [554, '554 5.7.1 Message looks like spam', 'content_rejected', false, false],
      [
        550,
        '550 5.7.26 Unauthenticated email: DMARC policy',
        'authentication_failed',
        false,
        false,
      ],
      [550, '550 5.1.10 Recipient address has null MX', 'domain_takes_no_mail', false, true],
      [552, '552 5.3.4 Message size exceeds the maximum', 'message_too_large', false, false],
      [550, '550 Refused', 'refused', false, false],
      [451, '451 Local error', 'refused', true, false],
    ]
    for (const [code, text, reason_code, retry, suppress] of cases) {
      const found = classify({ code, text })
      assert.deepEqual(
        [found.reason_code, found.retry, found.suppress],
        [reason_code, retry, suppress],
        text,
      )
      assert.match(found.reason, /^[A-Z].*\.$/)
    }
  })

  test('has the enhanced code of its text', () => {
    assert.equal(classify({ code: 550, text: '550 5.1.1 no' }).enhanced_code, '5.1.1')
    assert.equal(classify({ code: 550, text: '550 no' }).enhanced_code, null)
  })

  test('is counted as permanent only if it is lasting', () => {
    assert.equal(classify({ code: 550, text: '550 Refused' }).bounce_type, 'permanent')
    assert.equal(classify({ code: 554, text: '554 Failed' }).bounce_type, 'undetermined')
    assert.equal(classify({ code: 552, text: '552 Mailbox full' }).bounce_type, 'transient')
  })
})

describe('the pauses', () => {
  test('last about a day in total, and use the delay that the server asks for', () => {
    const hours = RETRY_S.reduce((sum, one) => sum + one, 0) / 3600
    assert.ok(hours > 23 && hours < 25, String(hours))
    assert.equal(readPause('451 try again in 300 seconds'), 300)
    assert.equal(readPause('451 retry after 5 minutes'), 300)
    assert.equal(readPause('451 wait 90 hours, come back later'), 8 * 3600)
    assert.equal(readPause('550 5.1.1 no such user'), null)
  })
})
