/**
 * The two ways in which a test ends the silence of a provider, while everything else in its house
 * has the patience of the settings, however slow the machine is. `impatiently` waits out a short
 * patience: for silences that leave nothing behind, because nobody knows how far a request came by
 * then. `openLines` hangs up: for those where something is done first, which the test looks for.
 */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../server/kernel/config.ts'
import type { House } from '../../server/kernel/house.ts'
import type { TestHouse } from './house.ts'

export const PATIENCE_MS = 400

type Provider = 'carrier' | 'vat' | 'payments'

/**
 * The requests to this provider that begin while `work` runs are given up after PATIENCE_MS. So
 * `work` holds those that meet silence, and none whose answer counts.
 */
export async function impatiently<T>(
  house: House,
  provider: Provider,
  work: () => Promise<T>,
): Promise<T> {
  const patient = house.config
  const impatient: Config = {
    ...patient,
    [provider]: { ...patient[provider], timeout_ms: PATIENCE_MS },
  }
  house.config = impatient
  try {
    return await work()
  } finally {
    assert.equal(house.config, impatient, 'Somebody else changed the settings meanwhile.')
    house.config = patient
  }
}

/** The requests to the simulators of a house that are not answered yet. */
export function openLines({ app }: TestHouse): { hangUp(): void } {
  const waiting = new Set<ServerResponse>()
  app.server.on('request', ({ url }: IncomingMessage, response: ServerResponse) => {
    if (!url?.startsWith('/dev/simulators/')) return
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
  })
  return {
    hangUp() {
      assert(waiting.size > 0, 'Nobody waits for an answer.')
      for (const response of waiting) response.destroy()
    },
  }
}
