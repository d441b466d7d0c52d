/**
 * A process that stores, uses, releases and sweeps files without end, for the test that kills it.
 * It says on stdout how far it is, one line each, so that the test can choose its moments.
 */
import { randomBytes } from 'node:crypto'
import * as files from '../../server/areas/files/service.ts'
import { sweepFiles } from '../../server/areas/files/sweep.ts'
import * as projects from '../../server/areas/projects/service.ts'
import type { ProjectRow } from '../../server/contract/caller.ts'
import { openBareHouse, standingClock, type BareHouse } from './bare-house.ts'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Bytes that say in between that they are on their way. */
async function* slowly(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, 10_000)
  say('half')
  yield bytes.subarray(10_000)
}

/** Everything that happens to a file. */
async function live(house: BareHouse, project: ProjectRow): Promise<void> {
  const { id: project_id } = project
  const text = Buffer.from(`${randomBytes(6).toString('hex')} opening hours `.repeat(900))
  const stored = [
    await files.storeFile(house, project, slowly(text)),
    ...(await files.storeFiles(house, project, [randomBytes(5000), randomBytes(500)])),
  ]
  say('stored')
  const ids = stored.map(({ id }) => id)
  await files.encodeFiles(house, project_id, ids)
  await files.storeBeside(house, { project_id, id: ids[0] ?? '', suffix: '8.webp' }, text)
  say('encoded')
  await house.db.transact(async (tx) => {
    await projects.lock(tx, project_id)
    await files.adoptFiles(tx, project_id, ids)
  })
  say('used')
  await house.db.transact(async (tx) => {
    await projects.lock(tx, project_id)
    await files.releaseFiles(tx, { project_id, now: house.clock.now() }, ids.slice(1))
  })
  house.clock.advance(2 * 3600)
  await sweepFiles.run(house)
  say('swept')
}

/** Again and again. What takes long is swept by the other hand, whose clock is the same. */
async function liveOn(house: BareHouse, project: ProjectRow): Promise<never> {
  for (;;) {
    await live(house, project).catch((error: unknown) => {
      if (!(error instanceof files.FileGone)) throw error
    })
  }
}

if (import.meta.main) {
  const { connection, offset_s, folder, project_id } = JSON.parse(process.argv[2] ?? '{}')
  const house = openBareHouse(connection, standingClock(offset_s), folder)
  const project = await projects.find(house.db, project_id)
  if (project) await Promise.all([liveOn(house, project), liveOn(house, project)])
}
