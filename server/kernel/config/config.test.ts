/** Settings that are refused at the start. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const read = (settings: Record<string, string>) => readConfig(settings, tmpdir())

describe('HOMEPORT_ROLES', () => {
  test('is both roles by default', () => {
    assert.deepEqual([...read({}).roles], ['web', 'worker'])
  })

  test('takes one role alone', () => {
    assert.deepEqual([...read({ HOMEPORT_ROLES: 'worker' }).roles], ['worker'])
  })

  test('refuses roles that no code reads', () => {
    for (const role of ['apps', 'mail', 'dns', 'sip', 'web,sip'])
      assert.throws(() => read({ HOMEPORT_ROLES: role }), ConfigError, role)
  })
})
