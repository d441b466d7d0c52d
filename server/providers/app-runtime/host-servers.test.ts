/** Tests of the servers that an app process reaches. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openHostServers, type AppHost } from './host-servers.ts'

const closed: AppHost = {
  call: async () => null,
  refusal: () => 'Nothing is allowed.',
  egress: () => Promise.reject(new Error('Nothing is allowed.')),
  stopped() {},
  closed() {},
  onError() {},
}

// An error that nobody handles fails the file.
test('a tunnel is refused, also to a process that ends before it reads the answer', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-host-'))
  const servers = await openHostServers(closed, folder)
  t.after(() => {
    servers.close()
    rmSync(folder, { recursive: true })
  })
  const asked = 'CONNECT example.com:80 HTTP/1.1\r\nHost: example.com:80\r\n\r\n'
  for (let nth = 0; nth < 200; nth += 1) {
    const socket = connect(join(folder, 'egress.sock')).on('error', () => {})
    await once(socket, 'connect')
    socket.write(asked + 'x'.repeat(1000), () => socket.destroy())
  }
  const last = connect(join(folder, 'egress.sock'))
  last.write(asked)
  const [answer] = await once(last, 'data')
  t.assert.match(String(answer), /^HTTP\/1.1 403 /)
  last.destroy()
})
