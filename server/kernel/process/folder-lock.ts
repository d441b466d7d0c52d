/**
 * At most one Homeport per data folder. The lock is a listening socket named after the folder,
 * which disappears with its process. On Linux the name is in the abstract namespace; elsewhere it
 * is a socket file, which is deleted if no process listens on it. Containers that share a folder do
 * not see each other's sockets, so the holder of the socket also takes the lock file.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '../config/config.ts'
import { takeLockFile } from './lock-file.ts'

export interface FolderLock {
  release(): Promise<void>
}

/** Returns the lock, or the process id of its holder. */
export async function lockFolder(data_dir: string): Promise<FolderLock | { held_by: number }> {
  makeDataFolder(data_dir)
  const name = `homeport-${createHash('sha256').update(realpathSync(data_dir)).digest('hex').slice(0, 32)}`
  const path = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.lock`)
  for (let attempt = 0; attempt < 3; attempt++) {
    const server = await listen(path)
    if (server) return withFile(data_dir, () => new Promise((done) => server.close(() => done())))
    const held_by = await holder(path)
    if (held_by > 0) return { held_by }
    if (process.platform !== 'linux') rmSync(path, { force: true })
  }
  throw new Error(`The lock of ${data_dir} can be neither taken nor read.`)
}

/** Creates the data folder. Throws a ConfigError if that is impossible. */
export function makeDataFolder(data_dir: string): void {
  try {
    mkdirSync(data_dir, { recursive: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    const is_file = code === 'EEXIST' || code === 'ENOTDIR'
    const why = is_file ? 'there is a file of this name, or of a folder above' : String(code)
    throw new ConfigError(
      `The data folder ${data_dir} cannot be made (${why}): set HOMEPORT_DATA_DIR to another folder.`,
    )
  }
}

async function withFile(
  data_dir: string,
  close: () => Promise<void>,
): Promise<FolderLock | { held_by: number }> {
  const lock = await takeLockFile(data_dir, { lost: () => endProcess(data_dir) }).catch(
    async (error: unknown) => {
      await close()
      throw error
    },
  )
  if ('held_by' in lock) {
    await close()
    return lock
  }
  return {
    async release() {
      await lock.release()
      await close()
    },
  }
}

/** Ends this process, because two servers would destroy the database in the folder. */
function endProcess(data_dir: string): void {
  process.stderr.write(`Another Homeport took over the data folder ${data_dir}: this one ends.\n`)
  process.exit(1)
}

/** Listens on the path and sends the process id to each connection; null if the path is in use. */
function listen(path: string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(String(process.pid)))
    server.once('error', (error) =>
      'code' in error && error.code === 'EADDRINUSE' ? done(null) : fail(error),
    )
    server.listen(path, () => done(server.unref()))
  })
}

function holder(path: string): Promise<number> {
  return new Promise((done) => {
    let said = ''
    const socket = connect(path)
    socket.on('data', (chunk) => (said += chunk.toString()))
    socket.once('error', () => done(0))
    socket.once('close', () => done(Number(said) || 0))
  })
}
