import { test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { openBareGround } from '../../test/ground/bare-house.ts'
import { job, startJobs, enqueue } from './jobs.ts'
test('bench', async () => {
  const ground = await openBareGround()
  const house = ground.openHouse()
  let ran = 0
  const done = Promise.withResolvers<void>()
  const noop = job({
    name: 'noop',
    payload: Type.Object({}),
    retry_after_s: [],
    run: async ({ finish }) => {
      await finish()
      if (++ran === 2000) done.resolve()
    },
  })
  let t = performance.now()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 250; i++)
        await house.db.transact((tx) => enqueue(tx, house, noop, { payload: {}, project_id: null }))
    }),
  )
  console.log('enqueue/s', ((2000 / (performance.now() - t)) * 1000).toFixed(0))
  t = performance.now()
  const w = startJobs(house, { jobs: [noop], reconcilers: [] })
  await done.promise
  console.log('jobs/s', ((2000 / (performance.now() - t)) * 1000).toFixed(0))
  await w.stop()
})
