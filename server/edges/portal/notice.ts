/**
 * What stands where the portal will be. The addresses are promised by the banner, so they answer,
 * and say plainly what is not there yet and what does its work meanwhile.
 */
import type { FastifyInstance } from 'fastify'

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Homeport</title>
<style>
  :root { color-scheme: light dark }
  body { font: 1.0625rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 12vh auto; padding: 0 1.25rem }
  code { font-size: .9em; padding: .15em .35em; border-radius: .3em; background: color-mix(in srgb, currentColor 10%, transparent) }
  li { margin: .5rem 0 }
</style>
<h1>Homeport is running</h1>
<p>The portal is not part of this version yet, and nobody can sign in. Until it is:</p>
<ul>
  <li>Projects, keys, verification and balance: <code>npm run -s homeport -- help</code> in the folder Homeport was started from.</li>
  <li>Everything a key can do: the <a href="/docs">documentation</a>.</li>
  <li>Whether all is well: <a href="/api/v1/status">status</a>.</li>
</ul>
</html>
`

export function addPortalNotice(app: FastifyInstance): void {
  for (const url of ['/', '/portal', '/portal/*']) {
    app.get(url, async (_request, reply) =>
      reply
        .header(
          'Content-Security-Policy',
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        )
        .type('text/html; charset=utf-8')
        .send(page),
    )
  }
}
