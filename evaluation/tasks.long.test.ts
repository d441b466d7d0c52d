/**
 * Tests that each task can be done with the tools alone, and that its check accepts the correct
 * script but neither an idle agent nor the wrong scripts.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test, type TestContext } from 'node:test'
import { openTestRuntime } from '../test/fixtures/runtime.ts'
import { createRandomFacts } from './luck.ts'
import { idleDriver, runTask, scriptedDriver, type Driver, type TaskResult } from './run.ts'
import { tasks } from './task-list.ts'
import type { EvaluationTask } from './task.ts'

// One server for all tasks; each has its own project.
const server = await openTestRuntime()

const seed = Number(process.env['HOMEPORT_EVAL_SEED'] ?? randomInt(1_000_000))
console.log(`HOMEPORT_EVAL_SEED=${seed}`)

let runs = 0

/** Each run uses another seed, because site addresses are unique per server. */
function doing(t: TestContext, task: EvaluationTask, driver: Driver): Promise<TaskResult> {
  runs += 1
  return runTask(task, { seed: seed * 1000 + runs, driver, server }, (close) => t.after(close))
}

for (const task of tasks) {
  describe(task.name, () => {
    // Three consecutive seeds have all three languages.
    for (const nth of ['first', 'second', 'third'])
      test(`is accepted if the correct script runs it, with the ${nth} seed`, async (t) => {
        const driver = scriptedDriver((open, agent) => {
          const { language: _language, ...given } = open.given
          for (const [name, value] of Object.entries(given))
            assert.ok(open.ask.includes(value), `The agent is not told ${name}.`)
          return open.right(agent)
        })
        const { success, faults, tool_calls, ended, said } = await doing(t, task, driver)
        assert.equal(ended, 'done', said)
        assert.deepEqual(faults, [])
        assert.ok(success && tool_calls > 0)
      })

    test('is rejected if an idle agent runs it', async (t) => {
      assert.equal((await doing(t, task, idleDriver)).success, false)
    })

    for (const wrong of task.wrong) {
      test(`is rejected ${wrong}`, async (t) => {
        const driver = scriptedDriver((open, agent) => open.wrong(wrong, agent))
        const { ended, said, success } = await doing(t, task, driver)
        assert.deepEqual([ended, success], ['done', false], said)
      })
    }
  })
}

test('at least fifteen tasks exist, with distinct names and a wrong script each', () => {
  const names = new Set(tasks.map(({ name }) => name))
  assert.ok(names.size >= 15 && names.size === tasks.length)
  for (const { name, wrong } of tasks) assert.ok(wrong.length > 0, name)
})

test('the random facts depend only on the seed', () => {
  const drawn = (one: number) => {
    const luck = createRandomFacts(one)
    return [
      luck.business(),
      luck.price(),
      ...luck.people(5),
      luck.shuffled([1, 2, 3, 4, 5]),
      luck.letters(9),
    ].join()
  }
  assert.equal(drawn(7), drawn(7))
  assert.notEqual(drawn(7), drawn(8))
})

test('an agent that aborts is reported, and the final state is checked', async (t) => {
  const [task] = tasks
  assert(task)
  const driver = scriptedDriver((_open, agent) => agent.use('no_such_tool'))
  const { ended, said, success } = await doing(t, task, driver)
  assert.deepEqual([ended, success], ['error', false])
  assert.match(said, /No tool is called no_such_tool/)
})
