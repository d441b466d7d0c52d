/** Tests of invalid settings. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const read = (settings: Record<string, string>) => readConfig(settings, tmpdir())

describe('HOMEPORT_ROLES', () => {
  test('has both roles by default', () => {
    assert.deepEqual([...read({}).roles], ['web', 'worker'])
  })

  test('accepts one role', () => {
    assert.deepEqual([...read({ HOMEPORT_ROLES: 'worker' }).roles], ['worker'])
  })

  test('refuses unknown roles', () => {
    for (const role of ['apps', 'mail', 'dns', 'sip', 'web,sip'])
      assert.throws(() => read({ HOMEPORT_ROLES: role }), ConfigError, role)
  })
})
