/**
 * Simulators of external providers, served by the development server below
 * `/dev/simulators/<name>`. They speak the provider's protocol, including its errors. Production never
 * loads this folder: app.ts imports it dynamically, in development only.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { SimulatedReply, SimulatedRequest, Simulator } from './simulator.ts'
import { mollieSimulator } from './accounts/mollie-simulator.ts'
import { stripeAccountSimulator } from './accounts/stripe-account-simulator.ts'
import { challengeSimulators } from './challenge-simulators.ts'
import { kvkSimulator } from './kvk-simulator.ts'
import { addSimulatedPhone } from './telnyx/simulated-phone.ts'
import { stripeSimulator } from './stripe/stripe-simulator.ts'
import { telnyxSimulator } from './telnyx/telnyx-simulator.ts'
import { viesSimulator } from './vies-simulator.ts'

const simulators: readonly Simulator[] = [
  viesSimulator,
  kvkSimulator,
  telnyxSimulator,
  stripeSimulator,
  stripeAccountSimulator,
  mollieSimulator,
  ...challengeSimulators,
]

export function addSimulators(app: FastifyInstance, runtime: Runtime): void {
  const silent = new Set<Socket>()
  // Requests that a simulator leaves unanswered must not delay the shutdown.
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
  })
  addSimulatedPhone(app, runtime)
  for (const simulator of simulators) {
    const root = `/dev/simulators/${simulator.name}`
    app.all(`${root}/*`, async (request, reply) => {
      const answer = await simulator.answer(runtime, readRequest(request, root))
      if (answer !== 'silence') return send(reply, answer)
      const { socket } = request
      silent.add(socket)
      socket.once('close', () => silent.delete(socket))
      return reply.hijack()
    })
  }
}

function send(reply: FastifyReply, answer: Exclude<SimulatedReply, 'silence'>): FastifyReply {
  if ('to' in answer) return reply.code(303).header('Location', answer.to).send()
  reply.code(answer.status)
  if ('json' in answer) return reply.send(answer.json)
  return reply.type('text/html; charset=utf-8').send(answer.page)
}

function readRequest(request: FastifyRequest, root: string): SimulatedRequest {
  const { pathname, searchParams } = new URL(request.url, 'http://simulator.invalid')
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  return {
    method: request.method,
    path: pathname.slice(root.length),
    query: searchParams,
    headers: Object.fromEntries(headers),
    body: Buffer.isBuffer(request.body) ? request.body.toString() : '',
  }
}
