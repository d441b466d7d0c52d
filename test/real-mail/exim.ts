/** A Debian exim4 that receives mail: it delivers to folders, refuses by the local part, and sends bounces. */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { eventually } from '../fixtures/eventually.ts'
import type { Programs } from './programs.ts'

export interface Exim {
  port: number
  process: ChildProcess
  /** The messages in the mailbox of a local part, with the headers that exim adds. */
  readMailbox(local_part: string): string[]
}

interface Ports {
  /** Where bounces go. */
  bounces: number
  /** A server that refuses what exim has accepted, for `late`. */
  refusing: number
}

export async function startExim(
  { exim, environment }: Programs,
  folder: string,
  ports: Ports,
): Promise<Exim> {
  const port = await freePort()
  for (const name of ['spool', 'log', 'mail']) {
    mkdirSync(join(folder, name), { recursive: true })
    chmodSync(join(folder, name), 0o777)
  }
  const file = join(folder, 'exim.conf')
  writeFileSync(file, `exim_path = ${exim}${configuration(folder, ports)}`, { mode: 0o644 })
  const args = ['-C', file, '-bdf', '-q1s', '-oX', `127.0.0.1.${port}`, '-oP', join(folder, 'pid')]
  const child = spawn(exim, args, { env: environment, stdio: 'ignore' })
  await eventually(() => isOpen(port))
  return {
    port,
    process: child,
    readMailbox(local_part) {
      const mailbox = join(folder, 'mail', local_part, 'new')
      if (!existsSync(mailbox)) return []
      return readdirSync(mailbox).map((name) => readFileSync(join(mailbox, name), 'latin1'))
    },
  }
}

const configuration = (folder: string, { bounces, refusing }: Ports) => `
primary_hostname = mx.example.com
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
tls_advertise_hosts =
keep_environment = ^LD_ : ^NSS_
smtp_accept_max = 50
queue_only
deliver_drop_privilege
acl_smtp_rcpt = check_rcpt
acl_smtp_data = check_data
begin acl
check_rcpt:
  deny local_parts = nobody
       message = 5.1.1 <\${local_part}@\${domain}>: User unknown
  defer local_parts = busy
        condition = \${if !exists{${folder}/awake}}
        message = 4.7.1 Greylisting in action, please come back later
  accept
check_data:
  accept
begin routers
bounces:
  driver = manualroute
  domains = ^bounce\\\\.
  transport = to_homeport
  route_list = * 127.0.0.1
  self = send
late:
  driver = manualroute
  local_parts = late
  transport = to_refusing
  route_list = * 127.0.0.1
  self = send
mailbox:
  driver = accept
  transport = mailbox
begin transports
to_homeport:
  driver = smtp
  port = ${bounces}
  allow_localhost
  hosts_try_dane =
to_refusing:
  driver = smtp
  port = ${refusing}
  allow_localhost
  hosts_try_dane =
mailbox:
  driver = appendfile
  directory = ${folder}/mail/\${lookup{$local_part}lsearch{${folder}/mailboxes}}
  maildir_format
  create_directory
  user = Debian-exim
  group = Debian-exim
begin retry
* * F,2h,10s
`

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const is_open = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return is_open
}

/** exim takes no port 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert(typeof address === 'object' && address !== null)
  server.close()
  await once(server, 'close')
  return address.port
}
