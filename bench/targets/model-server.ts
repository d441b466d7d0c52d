/**
 * An HTTP server with OpenAI's chat interface that streams a short reply at once, so that the time
 * to the first token is that of the service in between.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'

const WORDS = ['Yes', ', behind', ' the shop', ', for free', '.']

export async function openModelServer() {
  const server = createServer(async (request, response) => {
    request.resume()
    await once(request, 'end')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (chunk: object) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'bench', ...chunk })}\n\n`,
      )
    for (const content of WORDS)
      send({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
    send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    send({ choices: [], usage: { prompt_tokens: 900, completion_tokens: 12, total_tokens: 912 } })
    response.end('data: [DONE]\n\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return {
    port,
    settings: {
      HOMEPORT_MODEL: 'openai_compatible',
      HOMEPORT_MODEL_NAME: 'bench',
      HOMEPORT_MODEL_KEY: 'sesame',
      HOMEPORT_MODEL_URL: `http://127.0.0.1:${port}/v1`,
      HOMEPORT_EGRESS_ALLOW_PRIVATE: '1',
    },
    close: () => server.close(),
  }
}
