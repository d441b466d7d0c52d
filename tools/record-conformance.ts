/**
 * Sends the requests of test/conformance/requests.ts to nginx and Caddy and writes their replies to
 * test/conformance/recorded.json, which the conformance test compares ours with. Run `node
 * tools/record-conformance.ts` after changing the requests; it needs the Debian packages `nginx`
 * and `caddy`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  answerOf,
  files,
  requests,
  type ComparedResponse,
  type ServerAddress,
} from '../test/conformance/requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'homeport-conformance-'))
chmodSync(folder, 0o755)
const root = join(folder, 'www')
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

function nginx(port: number): string[] {
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log /dev/null; events {}
     http { access_log off; include /etc/nginx/mime.types; charset utf-8;
       charset_types text/html text/css text/plain application/javascript;
       client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       server { listen 127.0.0.1:${port}; root ${root}; absolute_redirect off;
         error_page 404 /404.html;
         location / { try_files $uri $uri.html $uri/ =404; } } }`,
  )
  return ['nginx', '-c', file]
}

function caddy(port: number): string[] {
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{\n admin off\n auto_https off\n log {\n  output discard\n }\n}
http://127.0.0.1:${port} {
 root * ${root}
 try_files {path} {path}.html {path}/
 file_server
 handle_errors {
  rewrite * /404.html
  file_server
 }\n}\n`,
  )
  return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile']
}

async function untilThere(place: ServerAddress): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await answerOf(place, { path: '/' }).catch(() => null)) return
    await delay(50)
  }
  throw new Error(`Nothing answers at port ${place.port}.`)
}

async function record(port: number, configure: (port: number) => string[]) {
  const [command = '', ...args] = configure(port)
  const child = spawn(command, args, { stdio: 'ignore' })
  const place = { port, host: `127.0.0.1:${port}` }
  await untilThere(place)
  const answers: Record<string, ComparedResponse> = {}
  for (const [name, asked] of Object.entries(requests)) answers[name] = await answerOf(place, asked)
  child.kill()
  await once(child, 'exit')
  return answers
}

const versions = {
  nginx: execFileSync('sh', ['-c', 'nginx -v 2>&1'], { encoding: 'utf8' }).trim(),
  caddy: execFileSync('caddy', ['version'], { encoding: 'utf8' }).trim(),
}
const recorded = { versions, nginx: await record(8971, nginx), caddy: await record(8972, caddy) }
rmSync(folder, { recursive: true, force: true })
const file = join(import.meta.dirname, '..', 'test', 'conformance', 'recorded.json')
writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
