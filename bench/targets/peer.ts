/** Starts a peer as a separate process and waits until it replies. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const START_MS_MAX = 60_000

const peers_folder = join(import.meta.dirname, '..', 'peers')

/** The folder and the version of an installed peer. */
export function findPeer(name: string, module: string) {
  const folder = join(peers_folder, name)
  const manifest = join(folder, 'node_modules', module, 'package.json')
  if (!existsSync(manifest)) {
    throw new Error(`It is not installed: run npm run bench -- install.`)
  }
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return { folder, version }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || !address) throw new Error('There is no free port.')
  return address.port
}

interface Started {
  command: readonly string[]
  cwd: string
  env: Record<string, string>
  /** Replies with 200 when it is ready. */
  url: string
  headers: Record<string, string>
}

export async function startPeer({ command, cwd, env, url, headers }: Started) {
  const child = spawn(process.execPath, command, {
    cwd,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)))
  }
  for (const begun = performance.now(); ; await delay(200)) {
    const answer = await fetch(url, { headers }).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.ok) return child
    if (child.exitCode !== null || performance.now() - begun > START_MS_MAX) {
      await stopPeer(child)
      throw new Error(`It did not start (${answer?.status ?? 'no answer'}). It said: ${said}`)
    }
  }
}

export async function stopPeer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

export async function postJson(
  url: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<unknown> {
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 300)}`)
  return text === '' ? null : JSON.parse(text)
}
