/** Refuses requests to MCP from pages of other sites, by Host and Origin (DNS rebinding). */
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../../contract/errors.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { isOwnAddress } from '../../http/own-host.ts'

export function requireKnownHost({ config }: Runtime, headers: IncomingHttpHeaders): void {
  const { host = '', origin } = headers
  const next_step = `Use the address ${config.public_url}/mcp.`
  if (!isOwnAddress(config, `http://${host}`)) {
    throw refusal('The Host header names another server.', next_step)
  }
  if (origin !== undefined && !isOwnAddress(config, origin)) {
    throw refusal('Pages of other sites may not connect to this server.', next_step)
  }
}

function refusal(detail: string, next_step: string): Problem {
  return new Problem('forbidden', detail, {
    user_message: 'This connection came from a place that is not allowed.',
    next_step,
  })
}
