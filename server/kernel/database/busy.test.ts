/**
 * Requests that meet locks, timeouts and deadlocks in the database: 503 with Retry-After at every
 * entry point, or a retry of a single statement.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { callMessage, post } from '../../../test/fixtures/mcp/mcp.ts'
import { newTeam } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

/** A connection beside those of the server. */
let beside = new pg.Client()
const fixture = await openTestRuntime({
  work: false,
  relay: async (database) => {
    beside = new pg.Client(database)
    await beside.connect()
    return { connection: { ...database, lock_timeout: 100 }, close: () => beside.end() }
  },
})

interface Refusal {
  status: number
  headers: Headers
  body: any
}

function isBusy({ status, headers, body }: Refusal): void {
  assert.equal(status, 503, JSON.stringify(body))
  assert.match(body.type, /\/errors\/service_unavailable$/)
  assert.match(body.next_step, /send the same request again/)
  assert.ok(Number(headers.get('retry-after')) > 0)
}

/** Runs `work` while another connection holds an exclusive lock of the table. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  await beside.query(`begin; lock table ${table} in access exclusive mode`)
  try {
    await work()
  } finally {
    await beside.query('rollback')
  }
}

describe('a request that waits too long for a lock', () => {
  test('gets 503 with Retry-After over REST, and works once the lock is released', async () => {
    await whileLocked('collections', async () => {
      isBusy(await fixture.call('GET /collections'))
      isBusy(await fixture.call('POST /collections', { body: { name: 'later' } }))
    })
    const made = await fixture.call('POST /collections', { body: { name: 'later' } })
    assert.equal(made.status, 201, made.text)
  })

  test('gets 503 with Retry-After while its key is looked up, alone or with others', async () => {
    await whileLocked('api_keys', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => fixture.call('GET /project')))
      for (const answer of answers) isBusy(answer)
    })
  })

  test('gets the same problem with retry_after_s over MCP', async () => {
    await whileLocked('collections', async () => {
      const list = callMessage('documents_list', { name: 'later' })
      const { body } = await post(fixture, list)
      const problem = JSON.parse(body.result.content[0].text)
      assert.match(problem.type, /service_unavailable$/)
      assert.ok(problem.retry_after_s > 0)
    })
  })

  test('gets 503 with Retry-After from the API and the pages of the portal', async () => {
    const { owner, project_id } = await newTeam(fixture)
    await whileLocked('collections', async () => {
      isBusy(await owner.call(`GET /projects/${project_id}/collections`))
    })
    await whileLocked('api_keys', async () => {
      isBusy(await owner.call(`GET /projects/${project_id}/keys`))
    })
    await whileLocked('sessions', async () => {
      const page = await owner.visitor.get('/portal/confirm')
      assert.equal(page.status, 503, page.text)
    })
  })
})

describe('a statement that the database gives up', () => {
  // The trigger raises the SQLSTATE in the title of a new collection.
  test('gets 503 with Retry-After for a timeout, a deadlock or a failed serialization', async () => {
    await beside.query(`create function give_up() returns trigger language plpgsql as
      $$ begin raise exception using errcode = new.title, message = 'gave up'; end $$;
      create trigger give_up before insert on collections
        for each row when (new.title <> '') execute function give_up()`)
    for (const title of ['57014', '55P03', '40P01', '40001', '25P04']) {
      isBusy(await fixture.call('POST /collections', { body: { name: 'never', title } }))
    }
    await beside.query('drop trigger give_up on collections')
    assert.equal((await fixture.call('GET /collections/never')).status, 404)
  })

  test('is retried if it forms a transaction of its own and lost a deadlock', async () => {
    const made = await fixture.call('POST /collections', { body: { name: 'single' } })
    assert.equal(made.status, 201, made.text)
    // Increments of a sequence survive a rollback, so the sequence counts attempts.
    await beside.query(`create sequence attempts;
      create function give_up_twice() returns trigger language plpgsql as
      $$ begin
        if nextval('attempts') <= 2 then raise exception using errcode = '40P01'; end if;
        return new;
      end $$;
      create trigger give_up_twice before insert on documents
        for each row execute function give_up_twice()`)
    const documents = '/collections/single/documents'
    const answer = await fixture.call(`POST ${documents}`, { body: { n: 1 } })
    assert.equal(answer.status, 201, answer.text)
    assert.equal((await fixture.call(`GET ${documents}`)).body.data.length, 1)
    const { rows } = await beside.query('select last_value::int as n from attempts')
    assert.deepEqual(rows, [{ n: 3 }])
  })
})
