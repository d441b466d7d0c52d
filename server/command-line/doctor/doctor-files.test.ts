/** Tests of the doctor's checks of the file store, on disk and in a bucket. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openS3Server } from '../../../test/fixtures/external/s3-server.ts'
import { readConfig } from '../../kernel/config/config.ts'
import { checkFiles } from './doctor-files.ts'
import { temporaryFolder } from '../../../test/fixtures/command-line.ts'

function check(data_dir: string, settings: Record<string, string> = {}) {
  return checkFiles(readConfig({ HOMEPORT_DATA_DIR: data_dir, ...settings }, data_dir))
}

test('the check creates no file store if there is none', async () => {
  const folder = temporaryFolder()
  const { status, detail } = await check(folder)
  assert.equal(status, 'ok')
  assert.match(detail, /^No file is stored yet; \S+\/blobs is created with the first\.$/)
  assert.deepEqual(readdirSync(folder), [])
})

test('the check reports a working folder as ok, and leaves it unchanged', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'blobs'))
  const { status, detail, next_step } = await check(folder)
  assert.deepEqual([status, next_step], ['ok', null])
  assert.equal(detail, `Files are stored in ${join(folder, 'blobs')}.`)
  assert.deepEqual(readdirSync(join(folder, 'blobs')), ['.unfinished'])
  assert.deepEqual(readdirSync(join(folder, 'blobs', '.unfinished')), [])
})

test('the check fails on a folder without write permission, with the next step', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'blobs'), 'a file')
  const { status, detail, next_step } = await check(folder)
  assert.equal(status, 'fail')
  assert.match(detail, /^The disk does not keep files: /)
  assert.match(next_step ?? '', /^Make the folder writable for the user that runs Homeport/)
})

test('the check reports a working bucket as ok, and fails on one that does not answer', async () => {
  const bucket = await openS3Server()
  const folder = temporaryFolder()
  const { status, detail } = await check(folder, bucket.settings)
  assert.deepEqual([status, detail], ['ok', 'Files are stored in the bucket homeport-files.'])
  const other = { ...bucket.settings, AWS_ACCESS_KEY_ID: 'unknown' }
  const refused = await check(folder, other)
  assert.equal(refused.status, 'fail')
  await bucket.close()
  const away = await check(folder, bucket.settings)
  assert.equal(away.status, 'fail')
  assert.match(away.detail, /^S3 does not keep files: /)
  assert.match(away.next_step ?? '', /^Check HOMEPORT_BLOBS/)
  assert.doesNotMatch(JSON.stringify(away), /S3RVER/)
})
